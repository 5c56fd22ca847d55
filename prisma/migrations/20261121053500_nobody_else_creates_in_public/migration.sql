-- A database that came from a server before Postgres 15 still lets every login create tables here.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
