-- Google Cloud Storage and Azure Blob Storage beside the stores that speak S3.
ALTER TABLE "endpoint" DROP CONSTRAINT "endpoint_kind_check";
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_kind_check"
  CHECK ("kind" IN ('b2', 's3', 's3-compatible', 'vault', 'gcs', 'azure-blob'));
