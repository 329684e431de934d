UPDATE message_parts SET metadata = '{"originalRole":"user","raw":{"type":"image","data":"data:image/png;base64,' || replace(hex(zeroblob(40000)), '00', 'iV') || '"}}' WHERE message_id = 8;
