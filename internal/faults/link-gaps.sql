UPDATE summary_messages SET ordinal = 40 WHERE message_id = 36;
