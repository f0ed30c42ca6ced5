import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The driver of ZooKeeper's own Java client; bench/drivers/contract.ts says how one talks with it.
 * A window of one uses the synchronous calls, a larger one the asynchronous ones.
 */
public final class JavaClientBench {
  private static final int MULTI_PARTS = 100;
  private static final int PREPARING = 100;
  private static final int SESSION_TIMEOUT_MS = 30_000;

  private final String servers;
  private final String root;
  private final ZooKeeper zooKeeper;

  private JavaClientBench(String servers, String root) throws Exception {
    this.servers = servers;
    this.root = root;
    this.zooKeeper = connect(servers);
  }

  public static void main(String[] args) throws Exception {
    JavaClientBench bench = new JavaClientBench(args[0], args[1]);
    bench.zooKeeper.create(bench.root, value(100), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    System.out.println("{\"ready\":true}");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      Task task = new Task(line);
      System.out.printf("{\"id\":%d,\"result\":%s}%n", task.id, bench.run(task).toJson());
    }
    bench.zooKeeper.delete(bench.root, -1);
    bench.zooKeeper.close();
    System.exit(0);
  }

  private Measurement run(Task task) throws Exception {
    byte[] value = value(task.valueSize);
    switch (task.workload) {
      case "get":
        return afterWarmUp(task, limit -> get(limit, task.window));
      case "set":
        return afterWarmUp(task, limit -> set(value, limit, task.window));
      case "create":
        return afterWarmUp(task, limit -> createAndDelete(limit, value, task.window)[0]);
      case "delete":
        return afterWarmUp(task, limit -> createAndDelete(limit, value, task.window)[1]);
      case "multi":
        return multi(value, task);
      case "watch":
        return watch(value, task);
      default:
        throw new IllegalArgumentException("unknown workload " + task.workload);
    }
  }

  private interface Work {
    Measurement run(Limit limit) throws Exception;
  }

  /** Does everything twice; what comes of the first time is forgotten. */
  private static Measurement afterWarmUp(Task task, Work work) throws Exception {
    work.run(new Limit(task.warmup, task.seconds));
    return work.run(new Limit(task.ops, task.seconds));
  }

  private Measurement get(Limit limit, int window) throws Exception {
    if (window == 1) {
      return oneAfterTheOther(limit, op -> zooKeeper.getData(root, false, null));
    }
    return pipelined(
        limit,
        window,
        (op, answer) ->
            zooKeeper.getData(root, false, (rc, path, ctx, data, stat) -> answer.come(rc), null));
  }

  private Measurement set(byte[] value, Limit limit, int window) throws Exception {
    if (window == 1) {
      return oneAfterTheOther(limit, op -> zooKeeper.setData(root, value, -1));
    }
    return pipelined(
        limit,
        window,
        (op, answer) ->
            zooKeeper.setData(root, value, -1, (rc, path, ctx, stat) -> answer.come(rc), null));
  }

  private Measurement[] createAndDelete(Limit limit, byte[] value, int window) throws Exception {
    List<String> nodes = children(limit.ops);
    Measurement creation = create(nodes, value, limit, window);
    // All that were created, however long it takes: the next task finds the parent as this one did.
    return new Measurement[] {creation, delete(nodes, Limit.of(creation.ops), window)};
  }

  private Measurement create(List<String> nodes, byte[] value, Limit limit, int window)
      throws Exception {
    return pipelined(
        limit,
        window,
        (op, answer) ->
            zooKeeper.create(
                nodes.get(op),
                value,
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT,
                (rc, path, ctx, name) -> answer.come(rc),
                null));
  }

  private Measurement delete(List<String> nodes, Limit limit, int window) throws Exception {
    return pipelined(
        limit,
        window,
        (op, answer) ->
            zooKeeper.delete(nodes.get(op), -1, (rc, path, ctx) -> answer.come(rc), null));
  }

  private Measurement multi(byte[] value, Task task) throws Exception {
    List<String> nodes = children(MULTI_PARTS);
    Limit each = Limit.of(nodes.size());
    create(nodes, value, each, PREPARING);
    Measurement measurement =
        afterWarmUp(task, limit -> setAll(nodes, value, limit, task.window));
    delete(nodes, each, PREPARING);
    return measurement;
  }

  private Measurement setAll(List<String> nodes, byte[] value, Limit limit, int window)
      throws Exception {
    if (window == 1) {
      return oneAfterTheOther(limit, op -> zooKeeper.multi(sets(nodes, value)));
    }
    return pipelined(
        limit,
        window,
        (op, answer) ->
            zooKeeper.multi(
                sets(nodes, value), (rc, path, ctx, results) -> answer.come(rc), null));
  }

  private static List<Op> sets(List<String> nodes, byte[] value) {
    List<Op> sets = new ArrayList<>(nodes.size());
    for (String node : nodes) {
      sets.add(Op.setData(node, value, -1));
    }
    return sets;
  }

  private Measurement watch(byte[] value, Task task) throws Exception {
    ZooKeeper watching = connect(servers);
    Measurement measurement = afterWarmUp(task, limit -> changes(watching, value, limit));
    watching.close();
    return measurement;
  }

  /** An operation ends when both have come, the answer to the set and the event; the event counts. */
  private Measurement changes(ZooKeeper watching, byte[] value, Limit limit) throws Exception {
    Semaphore events = new Semaphore(0);
    long[] changedAt = new long[1];
    Watcher changed =
        event -> {
          changedAt[0] = System.nanoTime();
          events.release();
        };
    Measurement measurement = new Measurement(limit);
    for (int op = 0; measurement.hasRoomFor(op); op++) {
      watching.getData(root, changed, null);
      long start = System.nanoTime();
      zooKeeper.setData(root, value, -1);
      if (!events.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no event within 30 s");
      }
      measurement.record(op, start, changedAt[0]);
    }
    return measurement.end();
  }

  private interface Call {
    void run(int op) throws Exception;
  }

  private static Measurement oneAfterTheOther(Limit limit, Call call) throws Exception {
    Measurement measurement = new Measurement(limit);
    for (int op = 0; measurement.hasRoomFor(op); op++) {
      long start = System.nanoTime();
      call.run(op);
      measurement.record(op, start, System.nanoTime());
    }
    return measurement.end();
  }

  private interface Request {
    void send(int op, Answer answer);
  }

  private interface Answer {
    void come(int resultCode);
  }

  /** Sends all requests with at most a window of them unanswered. */
  private static Measurement pipelined(Limit limit, int window, Request request)
      throws Exception {
    Semaphore room = new Semaphore(window);
    AtomicInteger failure = new AtomicInteger();
    Measurement measurement = new Measurement(limit);
    for (int op = 0; measurement.hasRoomFor(op); op++) {
      room.acquire();
      int number = op;
      long start = System.nanoTime();
      request.send(
          op,
          resultCode -> {
            measurement.record(number, start, System.nanoTime());
            if (resultCode != KeeperException.Code.OK.intValue()) {
              failure.set(resultCode);
            }
            room.release();
          });
    }
    room.acquire(window);
    measurement.end();
    if (failure.get() != 0) {
      throw KeeperException.create(KeeperException.Code.get(failure.get()));
    }
    return measurement;
  }

  private List<String> children(int count) {
    List<String> paths = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      paths.add(root + "/n" + i);
    }
    return paths;
  }

  private static byte[] value(int size) {
    byte[] value = new byte[size];
    Arrays.fill(value, (byte) 'x');
    return value;
  }

  private static ZooKeeper connect(String servers) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper zooKeeper =
        new ZooKeeper(
            servers,
            SESSION_TIMEOUT_MS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(20, TimeUnit.SECONDS)) {
      zooKeeper.close();
      throw new IllegalStateException("not connected to " + servers + " within 20 s");
    }
    return zooKeeper;
  }

  /** What ends a measurement: so many operations, or so much time. */
  private static final class Limit {
    private final int ops;
    private final long nanos;

    private Limit(int ops, int seconds) {
      this.ops = ops;
      this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    private static Limit of(int ops) {
      return new Limit(ops, Integer.MAX_VALUE);
    }
  }

  /** One command: a flat object of JSON whose values are names and whole numbers. */
  private static final class Task {
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":\"?([\\w-]+)\"?");

    private final int id;
    private final String workload;
    private final int ops;
    private final int warmup;
    private final int seconds;
    private final int window;
    private final int valueSize;

    private Task(String line) {
      Map<String, String> fields = new HashMap<>();
      for (Matcher field = FIELD.matcher(line); field.find(); ) {
        fields.put(field.group(1), field.group(2));
      }
      id = Integer.parseInt(fields.get("id"));
      workload = fields.get("workload");
      ops = Integer.parseInt(fields.get("ops"));
      warmup = Integer.parseInt(fields.get("warmup"));
      seconds = Integer.parseInt(fields.get("seconds"));
      window = Integer.parseInt(fields.get("window"));
      valueSize = Integer.parseInt(fields.get("valueSize"));
    }
  }

  /** The time of each operation, and the time and CPU of all of them. */
  private static final class Measurement {
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long[] latencies;
    private final long deadline;
    private int ops;
    private long cpu;
    private long elapsed;

    private Measurement(Limit limit) {
      latencies = new long[limit.ops];
      cpu = -SYSTEM.getProcessCpuTime();
      long now = System.nanoTime();
      elapsed = -now;
      deadline = now + limit.nanos;
    }

    /** Whether one more operation belongs to the measurement; if so, it is counted. */
    private boolean hasRoomFor(int op) {
      if (op >= latencies.length || System.nanoTime() - deadline >= 0) {
        return false;
      }
      ops = op + 1;
      return true;
    }

    private void record(int op, long start, long end) {
      latencies[op] = end - start;
    }

    private Measurement end() {
      elapsed += System.nanoTime();
      cpu += SYSTEM.getProcessCpuTime();
      Arrays.sort(latencies, 0, ops);
      return this;
    }

    private String toJson() throws Exception {
      return String.format(
          Locale.ROOT,
          "{\"ops\":%d,\"opsPerSecond\":%.1f,\"p50Micros\":%.1f,\"p99Micros\":%.1f,"
              + "\"cpuMicrosPerOp\":%.2f,\"rssMegabytes\":%.1f}",
          ops,
          ops / (elapsed / 1e9),
          percentile(0.50),
          percentile(0.99),
          cpu / 1e3 / ops,
          residentMegabytes());
    }

    private double percentile(double share) {
      return latencies[(int) (ops * share)] / 1e3;
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
