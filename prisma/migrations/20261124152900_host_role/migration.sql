-- A host agent watches the drives of a machine that is in no vault.
ALTER TABLE "node" DROP CONSTRAINT "node_role_check";
ALTER TABLE "node" ADD CONSTRAINT "node_role_check" CHECK ("role" IN ('pod', 'stash', 'coordinator', 'probe', 'host'));
ALTER TABLE "enrolment_token" DROP CONSTRAINT "enrolment_token_role_check";
ALTER TABLE "enrolment_token" ADD CONSTRAINT "enrolment_token_role_check" CHECK ("role" IN ('pod', 'stash', 'coordinator', 'probe', 'host'));
