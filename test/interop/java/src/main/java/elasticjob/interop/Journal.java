package elasticjob.interop;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import elasticjob.interop.Fire.Answer;
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
  private static final Map<String, Long> MISFIRED = new ConcurrentHashMap<>();
  private static final AtomicLong RUNS = new AtomicLong();
  private static PrintStream out;
  private static CoordinatorRegistryCenter registry;
  private static Owners owners;

  private Journal() {}

  static void open(PrintStream stream) {
    out = stream;
  }

  static void lookInto(CoordinatorRegistryCenter center, Owners ofItems) {
    registry = center;
    owners = ofItems;
  }

  static synchronized void write(Map<String, ?> line) {
    out.println(JSON.toJson(line));
    out.flush();
  }

  /** Says which items the job had at these times, or since when in them, and did not run. */
  static void leftOut(String why, String job, long from, long to, Map<Integer, Long> items) {
    write(
        Map.of(
            "event", "told",
            "name", why,
            "payload", Map.of("jobName", job, "from", from, "to", to, "shards", items),
            "at", System.currentTimeMillis()));
  }

  /** The job begins anew. */
  static void forget(String job) {
    FIRES.remove(job);
    MISFIRED.remove(job);
  }

  static void fired(String job, Fire fire) {
    FIRES.put(job, fire);
  }

  /** The present fire of the job, or its last one; null before the first. */
  static Fire fireOf(String job) {
    return FIRES.get(job);
  }

  /** The job's next fire makes up for this time, and for all that are missed after it. */
  static void misfired(String job, long at) {
    MISFIRED.putIfAbsent(job, at);
  }

  static void madeUp(String job) {
    MISFIRED.remove(job);
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
    boolean again = fire.scheduled && !fire.begins(item);
    long run = RUNS.incrementAndGet();
    String[] words = taskId.split("@-@");
    String instance = words[words.length - 2] + "@-@" + words[words.length - 1];
    write(
        Map.of(
            "event", "begin",
            "run", "java-" + run,
            "job", job,
            "shard", item,
            "instance", instance,
            "fire", again ? MISFIRED.getOrDefault(job, fire.at) : fire.at,
            "source", again ? "misfire" : sourceOf(job, item, instance, fire),
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
   * ElasticJob asks a copy of the registry who owns an item, which may be older than the resharding
   * that its own leader has done a moment before. What it runs then is its mistake, and only under
   * a leader of its kind.
   */
  private static String sourceOf(String job, int item, String instance, Fire fire) {
    if (!fire.scheduled) return "trigger";
    Answer answer = fire.answers().get(item);
    if (answer == null || !owners.hadNotBeen(instance, job, item, answer)) return "cron";
    String leader = registry.getDirectly("/" + job + "/leader/election/instance");
    return leader != null && leader.matches(".*@-@[0-9]+") ? "stray" : "cron";
  }
}
