package elasticjob.interop;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.shardingsphere.elasticjob.reg.base.CoordinatorRegistryCenter;

/** What the bodies of jobs have in common: they write down what they do, and wait when told to. */
final class Journal {
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();
  private static final Map<String, CountDownLatch> HELD = new ConcurrentHashMap<>();
  private static final Map<String, Fire> FIRES = new ConcurrentHashMap<>();
  private static final AtomicLong RUNS = new AtomicLong();
  private static PrintStream out;
  private static CoordinatorRegistryCenter registry;

  private Journal() {}

  /** Why and for when the job's one Quartz thread runs at the moment. */
  record Fire(long at, boolean scheduled) {}

  static void open(PrintStream stream) {
    out = stream;
  }

  static void lookInto(CoordinatorRegistryCenter center) {
    registry = center;
  }

  static synchronized void write(Map<String, ?> line) {
    out.println(JSON.toJson(line));
    out.flush();
  }

  static void fired(String job, Fire fire) {
    FIRES.put(job, fire);
  }

  /** Bodies of this job wait for their end from now on. */
  static void hold(String job) {
    HELD.putIfAbsent(job, new CountDownLatch(1));
  }

  static void release(String job) {
    CountDownLatch latch = HELD.remove(job);
    if (latch != null) latch.countDown();
  }

  /** Writes down a run from its begin to its end. */
  static void run(String job, int item, String taskId, String parameter) {
    Fire fire = FIRES.getOrDefault(job, new Fire(0, false));
    long run = RUNS.incrementAndGet();
    String[] words = taskId.split("@-@");
    String instance = words[words.length - 2] + "@-@" + words[words.length - 1];
    write(
        Map.of(
            "event", "begin",
            "run", "java-" + run,
            "job", job,
            "item", item,
            "instance", instance,
            "fire", fire.at(),
            "source", sourceOf(job, item, instance, fire),
            "parameter", parameter == null ? "" : parameter,
            "at", System.currentTimeMillis()));
    boolean interrupted = false;
    CountDownLatch latch = HELD.get(job);
    try {
      if (latch != null) latch.await();
    } catch (InterruptedException ex) {
      interrupted = true;
    }
    write(
        Map.of(
            "event", "end",
            "run", "java-" + run,
            "outcome", interrupted ? "aborted" : "success",
            "at", System.currentTimeMillis()));
    if (interrupted) throw new IllegalStateException("interrupted");
  }

  /**
   * ElasticJob asks a copy of the registry who owns an item, which may be older than the resharding that its
   * own leader has done a moment before. What it runs then is its mistake, under no other leader.
   */
  private static String sourceOf(String job, int item, String instance, Fire fire) {
    if (!fire.scheduled()) return "trigger";
    String leader = registry.getDirectly("/" + job + "/leader/election/instance");
    boolean javaLeads = leader != null && leader.matches(".*@-@[0-9]+");
    String owner = registry.getDirectly("/" + job + "/sharding/" + item + "/instance");
    return javaLeads && owner != null && !owner.equals(instance) ? "stray" : "cron";
  }
}
