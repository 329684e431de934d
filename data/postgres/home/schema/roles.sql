-- What each role may do. It is run after every migration, and changes nothing the second time.
GRANT USAGE ON SCHEMA home TO lcm_home, lcm_read;
GRANT USAGE ON SCHEMA lcm TO lcm_home;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA home TO lcm_home;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA home TO lcm_home;
REVOKE INSERT, UPDATE, DELETE ON home.schema_version FROM lcm_home;
GRANT SELECT ON ALL TABLES IN SCHEMA home TO lcm_read;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA home TO lcm_read;
