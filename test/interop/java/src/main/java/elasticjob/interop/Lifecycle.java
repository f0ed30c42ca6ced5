package elasticjob.interop;

import static elasticjob.interop.JavaWorker.text;

import com.google.gson.JsonObject;
import org.apache.shardingsphere.elasticjob.infra.pojo.JobConfigurationPOJO;
import org.apache.shardingsphere.elasticjob.infra.yaml.YamlEngine;
import org.apache.shardingsphere.elasticjob.lite.lifecycle.api.JobAPIFactory;

/** What Java's console does, by the API that the console has. */
final class Lifecycle {
  private final String servers;
  private final String namespace;

  Lifecycle(String servers, String namespace) {
    this.servers = servers;
    this.namespace = namespace;
  }

  Object obey(String op, String job, JsonObject command) {
    String ip = command.has("ip") ? text(command, "ip") : null;
    String item = command.has("shard") ? text(command, "shard") : null;
    var jobs = JobAPIFactory.createJobOperateAPI(servers, namespace, null);
    var shards = JobAPIFactory.createShardingOperateAPI(servers, namespace, null);
    var configurations = JobAPIFactory.createJobConfigurationAPI(servers, namespace, null);
    switch (op) {
      case "trigger" -> jobs.trigger(job);
      case "disable" -> jobs.disable(job, ip);
      case "enable" -> jobs.enable(job, ip);
      case "shutdown" -> jobs.shutdown(job, ip);
      case "remove" -> configurations.removeJobConfiguration(job);
      case "disable-shard" -> shards.disable(job, item);
      case "enable-shard" -> shards.enable(job, item);
      case "update" ->
          configurations.updateJobConfiguration(
              YamlEngine.unmarshal(text(command, "configuration"), JobConfigurationPOJO.class));
      case "configuration" -> {
        return YamlEngine.marshal(configurations.getJobConfiguration(job));
      }
      default -> throw new IllegalArgumentException("no command: " + op);
    }
    return true;
  }
}
