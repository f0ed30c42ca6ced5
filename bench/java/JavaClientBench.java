import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Measures ZooKeeper's own Java client: one workload a run, one line of JSON as the result.
 *
 * <pre>
 * JavaClientBench --connect 127.0.0.1:2181 --workload get --ops 50000 --window 100
 *     [--warmup 20000] [--value-size 100]
 * </pre>
 *
 * <p>Workloads: {@code get-sequential} (the synchronous call, one after the other); {@code get},
 * {@code set}, {@code create}, {@code delete} (the asynchronous calls, with at most {@code --window}
 * unanswered); {@code multi} (100 sets of 100 nodes in one transaction, {@code --window} as before);
 * {@code watch} (from a set of one session to the event in another). An operation of {@code multi}
 * is a whole transaction. Latency is from the call to its answer, time spent in the client's own
 * queue included. CPU is that of the whole process during the measured operations.
 */
public final class JavaClientBench {
  private static final int SUB_OPERATIONS = 100;
  private static final int SESSION_TIMEOUT_MS = 30_000;

  private final ZooKeeper zooKeeper;
  private final Settings settings;
  private final String root = "/bench-java-" + UUID.randomUUID();
  private final byte[] value;

  private JavaClientBench(Settings settings) throws Exception {
    this.settings = settings;
    this.value = new byte[settings.valueSize];
    Arrays.fill(value, (byte) 'x');
    this.zooKeeper = connect(settings.connect);
  }

  public static void main(String[] args) throws Exception {
    JavaClientBench bench = new JavaClientBench(Settings.parse(args));
    try {
      bench.create(bench.root);
      System.out.println(bench.run());
    } finally {
      ZKUtil.deleteRecursive(bench.zooKeeper, bench.root, 1000);
      bench.zooKeeper.close();
    }
    System.exit(0);
  }

  /** Warms up, measures, and gives the result as JSON. */
  private String run() throws Exception {
    if (settings.warmup > 0) {
      measure("warmup", settings.warmup);
    }
    return measure("measured", settings.ops).toJson(settings);
  }

  /** Each phase has nodes of its own, so that the second finds what the first found. */
  private Measurement measure(String phase, int ops) throws Exception {
    String parent = root + "/" + phase;
    create(parent);
    switch (settings.workload) {
      case "get-sequential":
        return getSequential(parent, ops);
      case "get":
        return get(parent, ops);
      case "set":
        return set(parent, ops);
      case "create":
        return createNodes(children(parent, ops));
      case "delete":
        List<String> nodes = children(parent, ops);
        createNodes(nodes);
        return deleteNodes(nodes);
      case "multi":
        return multi(parent, ops);
      case "watch":
        return watch(parent, ops);
      default:
        throw new IllegalArgumentException("unknown workload " + settings.workload);
    }
  }

  private Measurement getSequential(String node, int ops) throws Exception {
    Measurement measurement = Measurement.begin(ops);
    for (int op = 0; op < ops; op++) {
      long start = System.nanoTime();
      zooKeeper.getData(node, false, null);
      measurement.record(op, start);
    }
    return measurement.end();
  }

  private Measurement get(String node, int ops) throws Exception {
    return pipelined(
        ops,
        (op, answer) ->
            zooKeeper.getData(node, false, (rc, path, ctx, data, stat) -> answer.come(rc), null));
  }

  private Measurement set(String node, int ops) throws Exception {
    return pipelined(
        ops,
        (op, answer) ->
            zooKeeper.setData(node, value, -1, (rc, path, ctx, stat) -> answer.come(rc), null));
  }

  private Measurement createNodes(List<String> nodes) throws Exception {
    return pipelined(
        nodes.size(),
        (op, answer) ->
            zooKeeper.create(
                nodes.get(op),
                value,
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT,
                (rc, path, ctx, name) -> answer.come(rc),
                null));
  }

  private Measurement deleteNodes(List<String> nodes) throws Exception {
    return pipelined(
        nodes.size(),
        (op, answer) ->
            zooKeeper.delete(nodes.get(op), -1, (rc, path, ctx) -> answer.come(rc), null));
  }

  private Measurement multi(String parent, int ops) throws Exception {
    List<String> nodes = children(parent, SUB_OPERATIONS);
    createNodes(nodes);
    return pipelined(
        ops,
        (op, answer) -> {
          List<Op> sets = new ArrayList<>(SUB_OPERATIONS);
          for (String node : nodes) {
            sets.add(Op.setData(node, value, -1));
          }
          zooKeeper.multi(sets, (rc, path, ctx, results) -> answer.come(rc), null);
        });
  }

  private Measurement watch(String node, int ops) throws Exception {
    ZooKeeper watching = connect(settings.connect);
    Semaphore events = new Semaphore(0);
    long[] eventAt = new long[1];
    Watcher onEvent =
        event -> {
          eventAt[0] = System.nanoTime();
          events.release();
        };
    Measurement measurement = Measurement.begin(ops);
    for (int op = 0; op < ops; op++) {
      watching.getData(node, onEvent, null);
      long start = System.nanoTime();
      zooKeeper.setData(node, value, -1, (rc, path, ctx, stat) -> {}, null);
      if (!events.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no event within 30 s");
      }
      measurement.record(op, start, eventAt[0]);
    }
    measurement.end();
    watching.close();
    return measurement;
  }

  private interface Request {
    void send(int op, Answer answer);
  }

  private interface Answer {
    void come(int resultCode);
  }

  /** Sends all requests with at most a window of them unanswered. */
  private Measurement pipelined(int ops, Request request) throws Exception {
    Semaphore window = new Semaphore(settings.window);
    AtomicInteger failure = new AtomicInteger();
    Measurement measurement = Measurement.begin(ops);
    for (int op = 0; op < ops; op++) {
      window.acquire();
      int number = op;
      long start = System.nanoTime();
      request.send(
          op,
          resultCode -> {
            measurement.record(number, start);
            if (resultCode != KeeperException.Code.OK.intValue()) {
              failure.set(resultCode);
            }
            window.release();
          });
    }
    window.acquire(settings.window);
    measurement.end();
    if (failure.get() != 0) {
      throw KeeperException.create(KeeperException.Code.get(failure.get()));
    }
    return measurement;
  }

  private void create(String path) throws Exception {
    zooKeeper.create(path, value, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  private static List<String> children(String parent, int count) {
    List<String> paths = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      paths.add(parent + "/n" + i);
    }
    return paths;
  }

  private static ZooKeeper connect(String connectString) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper zooKeeper =
        new ZooKeeper(
            connectString,
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(20, TimeUnit.SECONDS)) {
      zooKeeper.close();
      throw new IllegalStateException("not connected to " + connectString + " within 20 s");
    }
    return zooKeeper;
  }

  private static final class Settings {
    private final String connect;
    private final String workload;
    private final int ops;
    private final int warmup;
    private final int window;
    private final int valueSize;

    private Settings(Map<String, String> options) {
      connect = required(options, "connect");
      workload = required(options, "workload");
      ops = Integer.parseInt(required(options, "ops"));
      warmup = Integer.parseInt(options.getOrDefault("warmup", "20000"));
      window = Integer.parseInt(options.getOrDefault("window", "1"));
      valueSize = Integer.parseInt(options.getOrDefault("value-size", "100"));
    }

    private static Settings parse(String[] args) {
      Map<String, String> options = new HashMap<>();
      for (int i = 0; i + 1 < args.length; i += 2) {
        options.put(args[i].replaceFirst("^--", ""), args[i + 1]);
      }
      return new Settings(options);
    }

    private static String required(Map<String, String> options, String name) {
      String value = options.get(name);
      if (value == null) {
        throw new IllegalArgumentException("--" + name + " is missing");
      }
      return value;
    }
  }

  /** The time of each operation, and the time and CPU of all of them. */
  private static final class Measurement {
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long[] latencies;
    private long cpu;
    private long elapsed;

    private Measurement(int ops) {
      latencies = new long[ops];
      cpu = -SYSTEM.getProcessCpuTime();
      elapsed = -System.nanoTime();
    }

    private static Measurement begin(int ops) {
      return new Measurement(ops);
    }

    private void record(int op, long start) {
      record(op, start, System.nanoTime());
    }

    private void record(int op, long start, long end) {
      latencies[op] = end - start;
    }

    private Measurement end() {
      elapsed += System.nanoTime();
      cpu += SYSTEM.getProcessCpuTime();
      Arrays.sort(latencies);
      return this;
    }

    private String toJson(Settings settings) throws Exception {
      return String.format(
          Locale.ROOT,
          "{\"client\":\"java\",\"workload\":\"%s\",\"ops\":%d,\"window\":%d,\"valueSize\":%d,"
              + "\"opsPerSecond\":%.1f,\"p50Micros\":%.1f,\"p99Micros\":%.1f,"
              + "\"cpuMicrosPerOp\":%.2f,\"rssMegabytes\":%.1f}",
          settings.workload,
          latencies.length,
          settings.window,
          settings.valueSize,
          latencies.length / (elapsed / 1e9),
          percentile(0.50),
          percentile(0.99),
          cpu / 1e3 / latencies.length,
          residentMegabytes());
    }

    private double percentile(double share) {
      return latencies[(int) Math.min(latencies.length - 1, latencies.length * share)] / 1e3;
    }

    /** Linux alone tells; elsewhere the answer is 0. */
    private static double residentMegabytes() throws Exception {
      Path status = Path.of("/proc/self/status");
      if (!Files.exists(status)) {
        return 0;
      }
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
        }
      }
      return 0;
    }
  }
}
