package elasticjob.interop;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** What the bodies of jobs have in common: they write down what they do, and wait when told to. */
final class Journal {
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();
  private static final Map<String, CountDownLatch> HELD = new ConcurrentHashMap<>();
  private static final Map<String, Fire> FIRES = new ConcurrentHashMap<>();
  private static final AtomicLong RUNS = new AtomicLong();
  private static PrintStream out;

  private Journal() {}

  /** Why and for when the job's one Quartz thread runs at the moment. */
  record Fire(long at, boolean scheduled) {}

  static void open(PrintStream stream) {
    out = stream;
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
    write(
        Map.of(
            "event", "begin",
            "run", "java-" + run,
            "job", job,
            "item", item,
            "instance", words[words.length - 2] + "@-@" + words[words.length - 1],
            "fire", fire.at(),
            "source", fire.scheduled() ? "cron" : "trigger",
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
}
