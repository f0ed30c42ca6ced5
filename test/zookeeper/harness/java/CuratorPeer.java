import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * A process that uses real Curator as its standard input tells it to.
 *
 * <p>One command a line, as JSON with an "id" and an "op"; one answer a line with the same "id" and
 * either "result" or "error"; the end of the input ends the process. Lines with an "event" come by themselves. Commands with the same
 * "name" (of a latch, a cache, a mutex) run one after the other on one thread, because a mutex
 * belongs to its thread and acquiring it blocks.
 */
public final class CuratorPeer {
  private final ObjectMapper json = new ObjectMapper();
  private final PrintStream out;
  private final String connectString;
  private final CuratorFramework curator;
  private final Map<String, LeaderLatch> latches = new ConcurrentHashMap<>();
  private final Map<String, CuratorCache> caches = new ConcurrentHashMap<>();
  private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
  private final Map<String, ExecutorService> threads = new HashMap<>();

  private CuratorPeer(String connectString, int sessionTimeoutMs, PrintStream out) {
    this.connectString = connectString;
    this.out = out;
    this.curator =
        CuratorFrameworkFactory.builder()
            .connectString(connectString)
            .sessionTimeoutMs(sessionTimeoutMs)
            .connectionTimeoutMs(5000)
            .retryPolicy(new RetryOneTime(100))
            .build();
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    CuratorPeer peer = new CuratorPeer(args[0], Integer.parseInt(args[1]), out);
    peer.run();
  }

  private void run() throws Exception {
    curator
        .getConnectionStateListenable()
        .addListener((client, state) -> print(event("connection").put("state", state.name())));
    curator.start();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode command = json.readTree(line);
      threadOf(command).submit(() -> carryOut(command));
    }
    for (LeaderLatch latch : latches.values()) {
      latch.close();
    }
    curator.close();
    System.exit(0);
  }

  private ExecutorService threadOf(JsonNode command) {
    String name = command.path("name").asText("");
    return threads.computeIfAbsent(name, key -> Executors.newSingleThreadExecutor());
  }

  private void carryOut(JsonNode command) {
    ObjectNode answer = json.createObjectNode().put("id", command.get("id").asInt());
    try {
      answer.set("result", resultOf(command));
    } catch (Exception error) {
      answer.put("error", error.toString());
    }
    print(answer);
  }

  private JsonNode resultOf(JsonNode command) throws Exception {
    String path = command.path("path").asText();
    String name = command.path("name").asText();
    switch (command.get("op").asText()) {
      case "connect":
        return json.valueToTree(curator.blockUntilConnected(20, TimeUnit.SECONDS));
      case "create":
        return json.valueToTree(create(command));
      case "get":
        return json.valueToTree(text(curator.getData().forPath(path)));
      case "set":
        return json.valueToTree(set(command));
      case "delete":
        curator.delete().withVersion(version(command)).forPath(path);
        return json.nullNode();
      case "transaction":
        return transaction(command.get("operations"));
      case "latch":
        startLatch(name, path, command.get("participant").asText());
        return json.nullNode();
      case "latch-state":
        return latchState(name);
      case "close-latch":
        closeLatch(name);
        return json.nullNode();
      case "cache":
        startCache(name, path);
        return json.nullNode();
      case "dump":
        return dump(name);
      case "close-cache":
        cache(name).close();
        return json.nullNode();
      case "acquire":
        return json.valueToTree(
            mutex(name, path).acquire(command.get("waitMs").asInt(), TimeUnit.MILLISECONDS));
      case "release":
        mutex(name, path).release();
        return json.nullNode();
      case "session":
        return session();
      case "kill-session":
        killSession();
        return json.nullNode();
      default:
        throw new IllegalArgumentException("unknown command " + command);
    }
  }

  private String create(JsonNode command) throws Exception {
    return curator
        .create()
        .creatingParentsIfNeeded()
        .withMode(CreateMode.valueOf(command.path("mode").asText("PERSISTENT")))
        .forPath(command.get("path").asText(), data(command));
  }

  private int set(JsonNode command) throws Exception {
    return curator
        .setData()
        .withVersion(version(command))
        .forPath(command.get("path").asText(), data(command))
        .getVersion();
  }

  private JsonNode transaction(JsonNode operations) throws Exception {
    List<CuratorOp> ops = new ArrayList<>();
    for (JsonNode operation : operations) {
      ops.add(transactionOp(operation));
    }
    return json.valueToTree(curator.transaction().forOperations(ops).size());
  }

  private CuratorOp transactionOp(JsonNode operation) throws Exception {
    String path = operation.get("path").asText();
    switch (operation.get("op").asText()) {
      case "create":
        return curator.transactionOp().create().forPath(path, data(operation));
      case "set":
        return curator
            .transactionOp()
            .setData()
            .withVersion(version(operation))
            .forPath(path, data(operation));
      case "delete":
        return curator.transactionOp().delete().withVersion(version(operation)).forPath(path);
      case "check":
        return curator.transactionOp().check().withVersion(version(operation)).forPath(path);
      default:
        throw new IllegalArgumentException("unknown operation " + operation);
    }
  }

  private void startLatch(String name, String path, String participant) throws Exception {
    LeaderLatch latch = new LeaderLatch(curator, path, participant);
    latch.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            print(event("latch").put("name", name).put("leader", true));
          }

          @Override
          public void notLeader() {
            print(event("latch").put("name", name).put("leader", false));
          }
        });
    latches.put(name, latch);
    latch.start();
    awaitNode(latch);
  }

  /** Curator creates the node in the background and does not say when it is there. */
  private static void awaitNode(LeaderLatch latch) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (latch.getOurPath() == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the latch got no node");
      }
      Thread.sleep(2);
    }
  }

  private JsonNode latchState(String name) throws Exception {
    LeaderLatch latch = latches.get(name);
    ObjectNode state = json.createObjectNode();
    state.put("leader", latch.hasLeadership());
    state.put("currentLeader", latch.getLeader().getId());
    state.put("ourPath", latch.getOurPath());
    List<String> line = new ArrayList<>();
    for (Participant participant : latch.getParticipants()) {
      line.add(participant.getId());
    }
    state.put("participants", line.size());
    state.set("line", json.valueToTree(line));
    return state;
  }

  /** Closing as NOTIFY_LEADER makes the end of a leadership an event like any other. */
  private void closeLatch(String name) throws Exception {
    latches.remove(name).close(LeaderLatch.CloseMode.NOTIFY_LEADER);
  }

  private void startCache(String name, String path) throws Exception {
    CuratorCache cache = CuratorCache.build(curator, path);
    CountDownLatch loaded = new CountDownLatch(1);
    cache.listenable().addListener(new CacheEvents(name, loaded));
    caches.put(name, cache);
    cache.start();
    if (!loaded.await(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the cache was not loaded");
    }
  }

  private final class CacheEvents implements CuratorCacheListener {
    private final String name;
    private final CountDownLatch loaded;

    private CacheEvents(String name, CountDownLatch loaded) {
      this.name = name;
      this.loaded = loaded;
    }

    @Override
    public void event(Type type, ChildData oldData, ChildData newData) {
      ChildData subject = newData == null ? oldData : newData;
      print(
          CuratorPeer.this
              .event("cache")
              .put("name", name)
              .put("type", type.name())
              .set("node", describe(subject)));
    }

    @Override
    public void initialized() {
      loaded.countDown();
    }
  }

  private JsonNode dump(String name) {
    List<ObjectNode> nodes = new ArrayList<>();
    cache(name).stream().forEach(data -> nodes.add(describe(data)));
    return json.valueToTree(nodes);
  }

  private CuratorCache cache(String name) {
    return caches.get(name);
  }

  private InterProcessMutex mutex(String name, String path) {
    return mutexes.computeIfAbsent(name, key -> new InterProcessMutex(curator, path));
  }

  private JsonNode session() throws Exception {
    ZooKeeper zooKeeper = curator.getZookeeperClient().getZooKeeper();
    ObjectNode session = json.createObjectNode();
    session.put("id", "0x" + Long.toHexString(zooKeeper.getSessionId()));
    session.put("timeoutMs", zooKeeper.getSessionTimeout());
    return session;
  }

  /** A real end: a second connection takes the session over and closes it on the server. */
  private void killSession() throws Exception {
    ZooKeeper owner = curator.getZookeeperClient().getZooKeeper();
    CountDownLatch attached = new CountDownLatch(1);
    Watcher whenAttached =
        change -> {
          if (change.getState() == Watcher.Event.KeeperState.SyncConnected) {
            attached.countDown();
          }
        };
    ZooKeeper duplicate =
        new ZooKeeper(
            connectString,
            owner.getSessionTimeout(),
            whenAttached,
            owner.getSessionId(),
            owner.getSessionPasswd());
    boolean inTime = attached.await(10, TimeUnit.SECONDS);
    duplicate.close();
    if (!inTime) {
      throw new IllegalStateException("the second connection was not attached to the session");
    }
  }

  private ObjectNode describe(ChildData data) {
    ObjectNode node = json.createObjectNode();
    node.put("path", data.getPath());
    node.put("data", text(data.getData()));
    node.put("version", data.getStat().getVersion());
    node.put("czxid", Long.toString(data.getStat().getCzxid()));
    node.put("mzxid", Long.toString(data.getStat().getMzxid()));
    return node;
  }

  private ObjectNode event(String kind) {
    return json.createObjectNode().put("event", kind);
  }

  private static byte[] data(JsonNode command) {
    return command.path("data").asText("").getBytes(StandardCharsets.UTF_8);
  }

  private static int version(JsonNode command) {
    return command.path("version").asInt(-1);
  }

  private static String text(byte[] data) {
    return data == null ? null : new String(data, StandardCharsets.UTF_8);
  }

  private synchronized void print(JsonNode line) {
    out.println(line.toString());
  }
}
