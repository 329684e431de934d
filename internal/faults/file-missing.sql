UPDATE large_files SET storage_uri = '/nonexistent/lcm-files/1/file_0123456789abcdef.csv' WHERE file_id = 'file_0123456789abcdef';
