package elasticjob.interop.old;

import com.dangdang.ddframe.job.api.ShardingContext;
import com.dangdang.ddframe.job.api.simple.SimpleJob;
import com.dangdang.ddframe.job.config.JobCoreConfiguration;
import com.dangdang.ddframe.job.config.simple.SimpleJobConfiguration;
import com.dangdang.ddframe.job.lite.api.JobScheduler;
import com.dangdang.ddframe.job.lite.config.LiteJobConfiguration;
import com.dangdang.ddframe.job.lite.internal.schedule.JobRegistry;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperRegistryCenter;
import com.dangdang.ddframe.job.util.env.IpUtils;
import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * An instance of Elastic-Job 2.x that does what its standard input tells it to: one command a line as JSON
 * with an "id", one answer a line with the same "id"; the end of the input ends the process.
 */
public final class OldWorker {
  private static final Gson JSON = new Gson();
  private static PrintStream out;

  private OldWorker() {}

  public static void main(String[] args) throws Exception {
    out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Whatever else writes to the standard output would be taken for an answer.
    System.setOut(System.err);
    Field address = IpUtils.class.getDeclaredField("cachedIpAddress");
    address.setAccessible(true);
    address.set(null, args[3]);
    ZookeeperConfiguration configuration = new ZookeeperConfiguration(args[0], args[1]);
    configuration.setSessionTimeoutMilliseconds(Integer.parseInt(args[2]));
    ZookeeperRegistryCenter registry = new ZookeeperRegistryCenter(configuration);
    registry.init();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      JsonObject command = JSON.fromJson(line, JsonObject.class);
      Map<String, Object> answer = new HashMap<>();
      answer.put("id", command.get("id").getAsInt());
      try {
        answer.put("result", obey(registry, command));
      } catch (Throwable ex) {
        answer.put("error", ex.getClass().getSimpleName() + ": " + ex.getMessage());
      }
      write(answer);
    }
    registry.close();
    Runtime.getRuntime().halt(0);
  }

  private static Object obey(ZookeeperRegistryCenter registry, JsonObject command) {
    if ("connect".equals(command.get("op").getAsString())) return true;
    String job = command.get("job").getAsString();
    JobCoreConfiguration core =
        JobCoreConfiguration.newBuilder(
                job, command.get("cron").getAsString(), command.get("shards").getAsInt())
            .build();
    SimpleJobConfiguration simple =
        new SimpleJobConfiguration(core, RecordedJob.class.getName());
    new JobScheduler(registry, LiteJobConfiguration.newBuilder(simple).build()).init();
    return JobRegistry.getInstance().getJobInstance(job).getJobInstanceId();
  }

  private static synchronized void write(Map<String, Object> line) {
    out.println(JSON.toJson(line));
  }

  /** Says that it ran. */
  public static final class RecordedJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
      Map<String, Object> line = new HashMap<>();
      line.put("event", "ran");
      line.put("job", context.getJobName());
      line.put("item", context.getShardingItem());
      write(line);
    }
  }
}
