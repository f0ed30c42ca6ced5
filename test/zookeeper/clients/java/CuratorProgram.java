import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Uses Curator as its documentation says, and prints what it sees. Nothing that is printed depends
 * on the time, on session ids or on zxids: the output has to be the same with every server.
 */
public final class CuratorProgram {
  static final int PATIENCE = 20;

  private final String connectString;

  private CuratorProgram(String connectString) {
    this.connectString = connectString;
  }

  public static void main(String[] args) {
    try {
      new CuratorProgram(args[0]).run();
    } catch (Exception error) {
      error.printStackTrace();
      System.exit(1);
    }
    // Threads of Curator's may still be there.
    System.exit(0);
  }

  private void run() throws Exception {
    try (CuratorFramework client = started(builder());
        CuratorFramework other = started(builder());
        CuratorFramework observer = started(builder())) {
      startUp(client);
      nodes(client);
      watches(client, other);
      cache(client, other);
      transactions(client);
      access(other);
      containers(client);
      new CuratorRecipes(client, other, observer).run();
      expiry(client, other);
    }
    say("done");
  }

  static void say(String what, Object... values) {
    System.out.println(what + List.of(values));
  }

  /** Prints what an action results in, or what it fails with. */
  static void attempt(String what, Callable<?> action) throws Exception {
    try {
      say(what, String.valueOf(action.call()));
    } catch (KeeperException error) {
      say(what, error.code());
    }
  }

  private CuratorFrameworkFactory.Builder builder() {
    return CuratorFrameworkFactory.builder()
        .connectString(connectString)
        .sessionTimeoutMs(PATIENCE * 1000)
        .connectionTimeoutMs(PATIENCE * 1000)
        .retryPolicy(new RetryOneTime(100));
  }

  private static CuratorFramework started(CuratorFrameworkFactory.Builder builder)
      throws Exception {
    CuratorFramework client = builder.build();
    client.start();
    if (!client.blockUntilConnected(PATIENCE, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not connected");
    }
    return client;
  }

  /** Curator begins with the configuration of the ensemble, and keeps watching it. */
  private static void startUp(CuratorFramework client) throws Exception {
    say("config", text(client.getConfig().forEnsemble()));
    say("members", client.getCurrentConfig().getAllMembers().size());
  }

  private static void nodes(CuratorFramework client) throws Exception {
    attempt("create", () -> client.create().forPath("/nodes", bytes("first")));
    attempt("create again", () -> client.create().forPath("/nodes"));
    attempt("create or set", () -> client.create().orSetData().forPath("/nodes", bytes("or")));
    attempt("without parents", () -> client.create().forPath("/nodes/a/b"));
    attempt("parents", () -> client.create().creatingParentsIfNeeded().forPath("/nodes/a/b/c"));
    Stat created = new Stat();
    client.create().storingStatIn(created).forPath("/nodes/stat", bytes("12"));
    say("stat", described(created));
    for (CreateMode mode :
        List.of(
            CreateMode.EPHEMERAL, CreateMode.PERSISTENT_SEQUENTIAL, CreateMode.CONTAINER)) {
      attempt("mode", () -> client.create().withMode(mode).forPath("/nodes/" + mode));
    }
    attempt(
        "ttl",
        () ->
            client
                .create()
                .withTtl(600_000)
                .withMode(CreateMode.PERSISTENT_WITH_TTL)
                .forPath("/nodes/ttl"));
    String guarded =
        client.create().withProtection().withMode(CreateMode.EPHEMERAL).forPath("/nodes/guarded");
    say("protected", guarded.replaceAll("_c_[0-9a-f-]+-", "_c_(id)-"));
    attempt("set", () -> described(client.setData().withVersion(1).forPath("/nodes", bytes("2"))));
    attempt("set wrongly", () -> client.setData().withVersion(1).forPath("/nodes"));
    Stat read = new Stat();
    say("get", text(client.getData().storingStatIn(read).forPath("/nodes")), described(read));
    client.create().compressed().forPath("/nodes/zip", bytes("x".repeat(1000)));
    say("compressed", client.getData().decompressed().forPath("/nodes/zip").length);
    say("exists", described(client.checkExists().forPath("/nodes")));
    say("exists not", client.checkExists().forPath("/nodes/missing") == null);
    say("children", client.getChildren().forPath("/nodes").size());
    attempt("delete", () -> client.delete().forPath("/nodes/a"));
    attempt("delete wrongly", () -> client.delete().withVersion(7).forPath("/nodes/a/b/c"));
    attempt("delete all", () -> client.delete().deletingChildrenIfNeeded().forPath("/nodes/a"));
    attempt("delete nothing", () -> client.delete().forPath("/nodes/a"));
    attempt("delete quietly", () -> client.delete().quietly().forPath("/nodes/a"));
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    client
        .sync()
        .inBackground((from, event) -> results.add(event.getType() + " " + event.getResultCode()))
        .forPath("/nodes");
    say("sync", next(results));
  }

  private static void watches(CuratorFramework client, CuratorFramework other) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    Watcher watcher = event -> events.add(described(event));
    client.create().forPath("/watched");
    client.getData().usingWatcher(watcher).forPath("/watched");
    other.setData().forPath("/watched", bytes("x"));
    say("event", next(events));
    client.watchers().add().usingWatcher(watcher).forPath("/watched");
    other.create().creatingParentsIfNeeded().forPath("/watched/a/b");
    say("events", next(events), next(events));
    other.delete().deletingChildrenIfNeeded().forPath("/watched/a");
    say("events", next(events), next(events));
    client.watchers().remove(watcher).forPath("/watched");
    say("removed", next(events));
    attempt("remove again", () -> client.watchers().remove(watcher).forPath("/watched"));
  }

  private static void cache(CuratorFramework client, CuratorFramework other) throws Exception {
    other.create().creatingParentsIfNeeded().forPath("/cached/a", bytes("1"));
    BlockingQueue<Object> changes = new LinkedBlockingQueue<>();
    try (CuratorCache cache = CuratorCache.build(client, "/cached")) {
      CountDownLatch loaded = new CountDownLatch(1);
      cache.listenable().addListener(listener(changes, loaded));
      cache.start();
      await(loaded);
      say("loaded", sorted(List.of(next(changes), next(changes))));
      other.setData().forPath("/cached/a", bytes("2"));
      say("changed", next(changes));
      other.create().forPath("/cached/a/b", bytes("3"));
      say("changed", next(changes));
      other.delete().forPath("/cached/a/b");
      say("changed", next(changes));
      other.delete().deletingChildrenIfNeeded().forPath("/cached");
      say("gone", sorted(List.of(next(changes), next(changes))));
      say("left", cache.size());
    }
  }

  private static CuratorCacheListener listener(
      BlockingQueue<Object> changes, CountDownLatch loaded) {
    return new CuratorCacheListener() {
      @Override
      public void event(Type type, ChildData before, ChildData now) {
        ChildData subject = now == null ? before : now;
        changes.add(type + " " + subject.getPath() + " " + text(subject.getData()));
      }

      @Override
      public void initialized() {
        loaded.countDown();
      }
    };
  }

  private static void transactions(CuratorFramework client) throws Exception {
    client.create().forPath("/together", bytes("x"));
    List<CuratorTransactionResult> results =
        client
            .transaction()
            .forOperations(
                client.transactionOp().check().withVersion(0).forPath("/together"),
                client.transactionOp().create().forPath("/together/a", bytes("1")),
                client
                    .transactionOp()
                    .create()
                    .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                    .forPath("/together/n-"),
                client.transactionOp().setData().withVersion(0).forPath("/together", bytes("y")),
                client.transactionOp().delete().forPath("/together/a"));
    for (CuratorTransactionResult result : results) {
      Stat stat = result.getResultStat();
      say(
          "committed",
          result.getType(),
          String.valueOf(result.getResultPath()),
          stat == null ? "" : described(stat));
    }
    try {
      client
          .transaction()
          .forOperations(
              client.transactionOp().create().forPath("/together/b"),
              client.transactionOp().check().withVersion(9).forPath("/together"),
              client.transactionOp().delete().forPath("/together/missing"));
    } catch (KeeperException error) {
      say("rolled back", error.code(), String.valueOf(error.getPath()), error.getResults().size());
    }
    say("left", client.getChildren().forPath("/together"));
  }

  private void access(CuratorFramework other) throws Exception {
    try (CuratorFramework me =
        started(
            builder()
                .authorization("digest", bytes("me:secret"))
                .aclProvider(new OnlyMine())
                .namespace("space"))) {
      attempt("mine", () -> me.create().creatingParentsIfNeeded().forPath("/mine/x", bytes("1")));
      for (ACL acl : me.getACL().forPath("/mine/x")) {
        say("acl", acl.getPerms(), acl.getId().getScheme(), acl.getId().getId());
      }
      attempt("read by another", () -> other.getData().forPath("/space/mine/x"));
      attempt("deleted by another", () -> other.delete().forPath("/space/mine/x"));
      Stat opened = me.setACL().withACL(Ids.READ_ACL_UNSAFE).forPath("/mine/x");
      say("opened", described(opened));
      attempt("read by another now", () -> text(other.getData().forPath("/space/mine/x")));
      attempt("written by another", () -> other.setData().forPath("/space/mine/x"));
      attempt("written by me", () -> me.setData().forPath("/mine/x"));
      attempt("invalid", () -> me.setACL().withACL(new ArrayList<>()).forPath("/mine"));
    }
  }

  private static final class OnlyMine implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return Ids.CREATOR_ALL_ACL;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return Ids.CREATOR_ALL_ACL;
    }
  }

  private static void containers(CuratorFramework client) throws Exception {
    client.create().creatingParentContainersIfNeeded().forPath("/boxes/a/b");
    say("container", described(client.checkExists().forPath("/boxes/a")));
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    Watcher watcher = event -> events.add(described(event));
    client.checkExists().usingWatcher(watcher).forPath("/boxes");
    client.delete().forPath("/boxes/a/b");
    say("containers", next(events));
    say("containers", client.checkExists().forPath("/boxes/a") == null);
  }

  private void expiry(CuratorFramework client, CuratorFramework other) throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch back = new CountDownLatch(1);
    client
        .getConnectionStateListenable()
        .addListener(
            (from, state) -> {
              if (state == ConnectionState.LOST) {
                lost.countDown();
              } else if (state == ConnectionState.RECONNECTED && lost.getCount() == 0) {
                back.countDown();
              }
            });
    client.create().withMode(CreateMode.EPHEMERAL).forPath("/expiring");
    long before = client.getZookeeperClient().getZooKeeper().getSessionId();
    try (RenewedNode node = new RenewedNode(client, other)) {
      // The owner may be faster and have its session back before it is closed.
      for (int attempt = 0; attempt < 10 && lost.getCount() > 0; attempt++) {
        endSession(client.getZookeeperClient().getZooKeeper());
        lost.await(3, TimeUnit.SECONDS);
      }
      await(lost);
      await(back);
      say("a new session", client.getZookeeperClient().getZooKeeper().getSessionId() != before);
      say("ephemeral", other.checkExists().forPath("/expiring") == null);
      say("persistent node", node.renewed());
    }
  }

  /** Ends a session on the server: a second connection takes it over and closes it. */
  private void endSession(ZooKeeper owner) throws Exception {
    CountDownLatch attached = new CountDownLatch(1);
    ZooKeeper duplicate =
        new ZooKeeper(
            connectString,
            owner.getSessionTimeout(),
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                attached.countDown();
              }
            },
            owner.getSessionId(),
            owner.getSessionPasswd());
    await(attached);
    duplicate.close();
  }

  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE, TimeUnit.SECONDS)) {
      throw new IllegalStateException("waited in vain");
    }
  }

  static Object next(BlockingQueue<Object> queue) throws InterruptedException {
    Object value = queue.poll(PATIENCE, TimeUnit.SECONDS);
    if (value == null) {
      throw new IllegalStateException("waited in vain");
    }
    return value;
  }

  static List<String> sorted(Collection<?> values) {
    List<String> texts = values.stream().map(String::valueOf).collect(Collectors.toList());
    Collections.sort(texts);
    return texts;
  }

  static String described(WatchedEvent event) {
    return event.getType() + " " + event.getPath();
  }

  static String described(Stat stat) {
    return String.format(
        "v%d c%d a%d %d bytes %d children%s",
        stat.getVersion(),
        stat.getCversion(),
        stat.getAversion(),
        stat.getDataLength(),
        stat.getNumChildren(),
        stat.getEphemeralOwner() == 0 ? "" : " owned");
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] data) {
    return data == null ? null : new String(data, StandardCharsets.UTF_8);
  }
}
