DELETE FROM large_files WHERE file_id = 'file_0123456789abcdef';
