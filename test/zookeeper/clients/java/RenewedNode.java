import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/** A node that Curator creates again when its session has ended. */
final class RenewedNode implements AutoCloseable {
  private static final String PATH = "/renewed";

  private final CuratorFramework other;
  private final PersistentNode node;
  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

  RenewedNode(CuratorFramework client, CuratorFramework other) throws Exception {
    this.other = other;
    byte[] data = CuratorProgram.bytes("mine");
    node = new PersistentNode(client, CreateMode.EPHEMERAL, false, PATH, data);
    node.start();
    if (!node.waitForInitialCreate(CuratorProgram.PATIENCE, TimeUnit.SECONDS)) {
      throw new IllegalStateException("waited in vain");
    }
    Watcher watcher =
        event -> {
          // Curator may set its data again and again.
          if (event.getType() != EventType.NodeDataChanged) {
            events.add(CuratorProgram.described(event));
          }
        };
    other.watchers().add().usingWatcher(watcher).forPath(PATH);
  }

  /** What another client has seen of it since it was created. */
  String renewed() throws Exception {
    return CuratorProgram.next(events)
        + ", "
        + CuratorProgram.next(events)
        + ", "
        + CuratorProgram.text(other.getData().forPath(PATH));
  }

  @Override
  public void close() throws Exception {
    node.close();
  }
}
