import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.barriers.DistributedBarrier;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.framework.recipes.nodes.GroupMember;
import org.apache.curator.framework.recipes.shared.SharedCount;
import org.apache.curator.framework.recipes.shared.SharedCountListener;
import org.apache.curator.framework.recipes.shared.SharedCountReader;
import org.apache.curator.framework.recipes.shared.VersionedValue;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/** Two clients use Curator's recipes together. */
final class CuratorRecipes {
  private final CuratorFramework client;
  private final CuratorFramework other;
  /**
   * Looks at what the two do. On a path where a recipe watches, before 3.9 a session cannot set
   * another watch without one of them being lost.
   */
  private final CuratorFramework observer;

  CuratorRecipes(CuratorFramework client, CuratorFramework other, CuratorFramework observer) {
    this.client = client;
    this.other = other;
    this.observer = observer;
  }

  void run() throws Exception {
    latch();
    selector();
    mutex();
    readersAndWriters();
    semaphore();
    counters();
    barriers();
    group();
  }

  private void latch() throws Exception {
    LeaderLatch first = new LeaderLatch(client, "/latch", "first");
    LeaderLatch second = new LeaderLatch(other, "/latch", "second");
    first.start();
    say("first leads", first.await(CuratorProgram.PATIENCE, SECONDS));
    CountDownLatch inLine = childrenOf("/latch", 2);
    second.start();
    CuratorProgram.await(inLine);
    say("participants", ids(first));
    say("leader", second.getLeader().getId(), second.hasLeadership());
    first.close();
    say("second leads", second.await(CuratorProgram.PATIENCE, SECONDS));
    say("participants", ids(second));
    second.close();
  }

  private static List<String> ids(LeaderLatch latch) throws Exception {
    return latch.getParticipants().stream()
        .map(Participant::getId)
        .sorted()
        .collect(Collectors.toList());
  }

  /** Counts down when the node has this many children. */
  private CountDownLatch childrenOf(String path, int count) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    Watcher watcher =
        new Watcher() {
          @Override
          public void process(WatchedEvent event) {
            try {
              if (reached.getCount() > 0) {
                look(this);
              }
            } catch (Exception error) {
              throw new IllegalStateException(error);
            }
          }

          private void look(Watcher again) throws Exception {
            observer.getChildren().usingWatcher(again).inBackground(this::count).forPath(path);
          }

          private void count(CuratorFramework from, CuratorEvent event) {
            if (event.getChildren().size() >= count) {
              reached.countDown();
            }
          }
        };
    watcher.process(null);
    return reached;
  }

  private void selector() throws Exception {
    BlockingQueue<Object> leaders = new LinkedBlockingQueue<>();
    CountDownLatch resign = new CountDownLatch(1);
    try (LeaderSelector first = selector(client, "first", leaders, resign);
        LeaderSelector second = selector(other, "second", leaders, resign)) {
      first.start();
      say("selected", CuratorProgram.next(leaders));
      second.start();
      resign.countDown();
      say("selected", CuratorProgram.next(leaders));
    }
  }

  private static LeaderSelector selector(
      CuratorFramework client, String name, BlockingQueue<Object> leaders, CountDownLatch resign) {
    return new LeaderSelector(
        client,
        "/selector",
        new LeaderSelectorListenerAdapter() {
          @Override
          public void takeLeadership(CuratorFramework from) throws Exception {
            leaders.add(name);
            resign.await();
          }
        });
  }

  private void mutex() throws Exception {
    InterProcessMutex mine = new InterProcessMutex(client, "/mutex");
    InterProcessMutex theirs = new InterProcessMutex(other, "/mutex");
    mine.acquire();
    mine.acquire();
    say("held", mine.isAcquiredInThisProcess(), theirs.acquire(1, MILLISECONDS));
    CountDownLatch inLine = childrenOf("/mutex", 2);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Boolean> waiting = thread.submit(() -> theirs.acquire(CuratorProgram.PATIENCE, SECONDS));
    CuratorProgram.await(inLine);
    say("in line", mine.getParticipantNodes().size());
    mine.release();
    say("still held", mine.isAcquiredInThisProcess());
    mine.release();
    say("passed on", waiting.get());
    thread.submit(
            () -> {
              theirs.release();
              return null;
            })
        .get();
    thread.shutdown();
  }

  private void readersAndWriters() throws Exception {
    InterProcessReadWriteLock mine = new InterProcessReadWriteLock(client, "/rw");
    InterProcessReadWriteLock theirs = new InterProcessReadWriteLock(other, "/rw");
    mine.readLock().acquire();
    say("read together", theirs.readLock().acquire(CuratorProgram.PATIENCE, SECONDS));
    theirs.readLock().release();
    say("written while read", theirs.writeLock().acquire(1, MILLISECONDS));
    mine.readLock().release();
    say("written", theirs.writeLock().acquire(CuratorProgram.PATIENCE, SECONDS));
    theirs.writeLock().release();
  }

  private void semaphore() throws Exception {
    InterProcessSemaphoreV2 mine = new InterProcessSemaphoreV2(client, "/semaphore", 2);
    InterProcessSemaphoreV2 theirs = new InterProcessSemaphoreV2(other, "/semaphore", 2);
    Lease first = mine.acquire();
    theirs.acquire();
    say("a third", theirs.acquire(1, MILLISECONDS) == null);
    mine.returnLease(first);
    say("a third", theirs.acquire(CuratorProgram.PATIENCE, SECONDS) != null);
    say("leases", theirs.getParticipantNodes().size());
  }

  private void counters() throws Exception {
    BlockingQueue<Object> counts = new LinkedBlockingQueue<>();
    try (SharedCount mine = new SharedCount(client, "/count", 5);
        SharedCount theirs = new SharedCount(other, "/count", 5)) {
      mine.addListener(
          new SharedCountListener() {
            @Override
            public void countHasChanged(SharedCountReader count, int value) {
              counts.add(value);
            }

            @Override
            public void stateChanged(CuratorFramework from, ConnectionState state) {}
          });
      mine.start();
      theirs.start();
      theirs.setCount(7);
      say("count", CuratorProgram.next(counts), mine.getCount());
      VersionedValue<Integer> known = mine.getVersionedValue();
      say("count on", theirs.trySetCount(known, 8), theirs.trySetCount(known, 9));
    }
    DistributedAtomicLong mine = new DistributedAtomicLong(client, "/sum", new RetryOneTime(1));
    DistributedAtomicLong theirs = new DistributedAtomicLong(other, "/sum", new RetryOneTime(1));
    say("sum", mine.add(40L).postValue(), theirs.increment().postValue(), mine.get().postValue());
  }

  private void barriers() throws Exception {
    DistributedBarrier barrier = new DistributedBarrier(client, "/barrier");
    barrier.setBarrier();
    DistributedBarrier theirs = new DistributedBarrier(other, "/barrier");
    say("barrier", theirs.waitOnBarrier(1, MILLISECONDS));
    barrier.removeBarrier();
    say("barrier", theirs.waitOnBarrier(CuratorProgram.PATIENCE, SECONDS));
    List<CompletableFuture<Boolean>> entering =
        List.of(client, other).stream().map(CuratorRecipes::enter).collect(Collectors.toList());
    say("double barrier", entering.get(0).get(), entering.get(1).get());
  }

  private static CompletableFuture<Boolean> enter(CuratorFramework client) {
    CompletableFuture<Boolean> entered = new CompletableFuture<>();
    Runnable enter =
        () -> {
          try {
            DistributedDoubleBarrier barrier = new DistributedDoubleBarrier(client, "/double", 2);
            entered.complete(barrier.enter(CuratorProgram.PATIENCE, SECONDS));
          } catch (Exception error) {
            entered.completeExceptionally(error);
          }
        };
    new Thread(enter).start();
    return entered;
  }

  private void group() throws Exception {
    client.create().forPath("/group");
    CountDownLatch both = childrenOf("/group", 2);
    try (GroupMember first = new GroupMember(client, "/group", "first");
        GroupMember second = new GroupMember(other, "/group", "second")) {
      first.start();
      second.start();
      CuratorProgram.await(both);
      say("members", CuratorProgram.sorted(client.getChildren().forPath("/group")));
    }
    say("members", client.getChildren().forPath("/group"));
  }

  private static void say(String what, Object... values) {
    CuratorProgram.say(what, values);
  }
}
