package elasticjob.interop;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.shardingsphere.elasticjob.api.ElasticJob;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.infra.env.IpUtils;
import org.apache.shardingsphere.elasticjob.infra.pojo.JobConfigurationPOJO;
import org.apache.shardingsphere.elasticjob.infra.yaml.YamlEngine;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.JobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.OneOffJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.internal.schedule.JobRegistry;
import org.apache.shardingsphere.elasticjob.reg.base.CoordinatorRegistryCenter;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.quartz.ListenerManager;
import org.quartz.Scheduler;

/**
 * An instance of Apache ElasticJob that does what its standard input tells it to.
 *
 * <p>One command a line, as JSON with an "id" and an "op"; one answer a line with the same "id" and
 * either "result" or "error"; the end of the input ends the process. Lines with an "event" come by
 * themselves. Commands about one job run one after the other: joining it may wait for a leader.
 */
public final class JavaWorker {
  private static final Gson JSON = new Gson();
  private final ZookeeperRegistryCenter registry;
  private final Owners owners;
  private final Lifecycle lifecycle;
  private final Map<String, JobBootstrap> jobs = new ConcurrentHashMap<>();
  private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();

  private JavaWorker(String servers, String namespace, int sessionTimeout) {
    ZookeeperConfiguration configuration = new ZookeeperConfiguration(servers, namespace);
    configuration.setSessionTimeoutMilliseconds(sessionTimeout);
    registry = new ZookeeperRegistryCenter(configuration);
    owners = new Owners(registry);
    lifecycle = new Lifecycle(servers, namespace);
  }

  public static void main(String[] args) throws Exception {
    Journal.open(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    // Whatever else writes to the standard output would be taken for an answer.
    System.setOut(System.err);
    beHost(args[3]);
    new JavaWorker(args[0], args[1], Integer.parseInt(args[2])).work();
    // The hooks of running jobs wait for what was told to wait for ever.
    Runtime.getRuntime().halt(0);
  }

  /** Several hosts on one machine: ElasticJob finds its address once, and never on the loopback. */
  private static void beHost(String ip) throws ReflectiveOperationException {
    Field cached = IpUtils.class.getDeclaredField("cachedIpAddress");
    cached.setAccessible(true);
    cached.set(null, ip);
  }

  private void work() throws Exception {
    registry.init();
    Journal.lookInto(registry, owners);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      JsonObject command = JSON.fromJson(line, JsonObject.class);
      String lane = command.has("job") ? command.get("job").getAsString() : "";
      threads
          .computeIfAbsent(lane, name -> Executors.newSingleThreadExecutor())
          .execute(() -> answer(command));
    }
    for (String job : jobs.keySet()) Journal.release(job);
    for (JobBootstrap job : jobs.values()) job.shutdown();
    registry.close();
  }

  private void answer(JsonObject command) {
    Map<String, Object> answer = new HashMap<>();
    answer.put("id", command.get("id").getAsInt());
    try {
      answer.put("result", obey(command));
    } catch (Throwable ex) {
      answer.put("error", ex.getClass().getSimpleName() + ": " + ex.getMessage());
    }
    Journal.write(answer);
  }

  private Object obey(JsonObject command) throws Exception {
    String op = text(command, "op");
    String job = command.has("job") ? text(command, "job") : null;
    switch (op) {
      case "connect":
        return true;
      case "start":
        return start(job, text(command, "kind"), text(command, "configuration"));
      case "execute":
        ((OneOffJobBootstrap) jobs.get(job)).execute();
        return true;
      case "hold":
        Journal.hold(job);
        return true;
      case "release":
        Journal.release(job);
        return true;
      case "stop":
        jobs.remove(job).shutdown();
        return true;
      case "has-ended":
        return JobRegistry.getInstance().isShutdown(job);
      default:
        return lifecycle.obey(op, job, command);
    }
  }

  /** Takes part in a job, and gives the id of the instance. */
  private String start(String job, String kind, String text) throws Exception {
    JobConfiguration configuration =
        YamlEngine.unmarshal(text, JobConfigurationPOJO.class).toJobConfiguration();
    Journal.forget(job);
    long registered = System.currentTimeMillis();
    JobBootstrap bootstrap = bootstrapOf(kind, configuration);
    jobs.put(job, bootstrap);
    String instance = JobRegistry.getInstance().getJobInstance(job).getJobInstanceId();
    ListenerManager listeners = schedulerOf(job).getListenerManager();
    listeners.addTriggerListener(new FireListener(job, instance, owners));
    listeners.addSchedulerListener(new ShutdownListener(job, instance, owners));
    if (bootstrap instanceof ScheduleJobBootstrap) ((ScheduleJobBootstrap) bootstrap).schedule();
    Journal.leftOut("java:scheduled", job, registered, System.currentTimeMillis(), Map.of());
    return instance;
  }

  private JobBootstrap bootstrapOf(String kind, JobConfiguration configuration) {
    CoordinatorRegistryCenter overheard = owners.overheard();
    switch (kind) {
      case "script":
        return new ScheduleJobBootstrap(overheard, "SCRIPT", configuration);
      case "one-off":
        return new OneOffJobBootstrap(overheard, new RecordedJob(), configuration);
      default:
        return new ScheduleJobBootstrap(overheard, bodyOf(kind), configuration);
    }
  }

  private static ElasticJob bodyOf(String kind) {
    switch (kind) {
      case "simple":
        return new RecordedJob();
      case "dataflow":
        return new RecordedDataflow();
      case "other":
        return new OtherJob();
      default:
        throw new IllegalArgumentException("no kind of job: " + kind);
    }
  }

  private static Scheduler schedulerOf(String job) throws ReflectiveOperationException {
    Object controller = JobRegistry.getInstance().getJobScheduleController(job);
    Field scheduler = controller.getClass().getDeclaredField("scheduler");
    scheduler.setAccessible(true);
    return (Scheduler) scheduler.get(controller);
  }

  static String text(JsonObject command, String key) {
    return command.get(key).getAsString();
  }
}
