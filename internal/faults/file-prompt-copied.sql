UPDATE large_files SET exploration_summary = 'Describe the text file below.' || char(10) || 'Name: notes.md' || char(10) || '[Truncated from 1834 tokens]' WHERE file_id = 'file_0123456789abcdef';
