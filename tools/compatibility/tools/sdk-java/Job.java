import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A small backup with the AWS SDK for Java: Job backup|restore|remove BUCKET FOLDER. */
public class Job {
  private final S3Client client = S3Client.builder().forcePathStyle(true).build();
  private final String bucket;
  private final Path folder;

  private Job(String bucket, String folder) {
    this.bucket = bucket;
    this.folder = Path.of(folder);
  }

  public static void main(String[] args) throws IOException {
    if (args[0].equals("version")) {
      System.out.println(VersionInfo.SDK_VERSION);
      return;
    }
    var job = new Job(args[1], args[2]);
    switch (args[0]) {
      case "backup" -> job.backup();
      case "restore" -> job.restore();
      case "remove" -> job.remove();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private void backup() throws IOException {
    client.createBucket(request -> request.bucket(bucket));
    Set<String> wanted = new HashSet<>();
    List<Path> paths;
    try (var found = Files.walk(folder)) {
      paths = found.filter(Files::isRegularFile).toList();
    }
    for (var path : paths) {
      var key = folder.relativize(path).toString();
      wanted.add(key);
      client.putObject(
          request -> request.bucket(bucket).key(key).metadata(Map.of("made-by", "java")),
          RequestBody.fromFile(path));
    }
    for (var key : keys()) {
      if (!wanted.contains(key)) client.deleteObject(request -> request.bucket(bucket).key(key));
    }
  }

  private void restore() throws IOException {
    for (var key : keys()) {
      var path = folder.resolve(key);
      Files.createDirectories(path.getParent());
      var answer = client.getObject(request -> request.bucket(bucket).key(key), path);
      if (!"java".equals(answer.metadata().get("made-by"))) throw new IllegalStateException(key);
    }
    try {
      client.putObject(
          request -> request.bucket(bucket).key("large").ifNoneMatch("*"), RequestBody.empty());
    } catch (S3Exception refused) {
      if (refused.statusCode() == 412) return;
      throw refused;
    }
    throw new IllegalStateException("A conditional write replaced an object.");
  }

  private void remove() {
    var objects = keys().stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    var deleted =
        client.deleteObjects(
            request -> request.bucket(bucket).delete(Delete.builder().objects(objects).build()));
    if (!deleted.errors().isEmpty()) throw new IllegalStateException(deleted.errors().toString());
    client.deleteBucket(request -> request.bucket(bucket));
  }

  private List<String> keys() {
    return client.listObjectsV2Paginator(request -> request.bucket(bucket).maxKeys(50)).contents()
        .stream().map(S3Object::key).toList();
  }
}
