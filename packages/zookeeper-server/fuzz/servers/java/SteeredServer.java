import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * A standalone ZooKeeper as its own main class starts it, whose own initiative comes when standard
 * input says so: looking for containers to delete, ending a session, closing a connection. By
 * itself it would do these by the clock, in between requests that nobody could say beforehand.
 *
 * <p>One command a line, one line "done" for each when everything it caused is queued before
 * whatever a client sends next.
 */
public final class SteeredServer extends ZooKeeperServerMain {
  private final PrintStream out;

  private SteeredServer(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    SteeredServer server = new SteeredServer(System.out);
    // Whatever else writes there would be taken for an answer.
    System.setOut(System.err);
    try {
      server.initializeAndRun(args);
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.exit(1);
  }

  @Override
  protected void serverStarted() {
    Thread steering = new Thread(this::takeCommands, "steering");
    steering.setDaemon(true);
    steering.start();
  }

  private void takeCommands() {
    try {
      ContainerManager containers = (ContainerManager) field("containerManager");
      ServerCnxnFactory connections = (ServerCnxnFactory) field("cnxnFactory");
      out.println("done");
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "clean-up":
            containers.checkContainers();
            break;
          case "expire":
            connections.getZooKeeperServer().closeSession(Long.parseLong(words[1]));
            break;
          case "drop":
            connections.closeSession(
                Long.parseLong(words[1]), ServerCnxn.DisconnectReason.CONNECTION_CLOSE_FORCED);
            break;
          default:
            throw new IllegalArgumentException(line);
        }
        out.println("done");
      }
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.exit(1);
  }

  private Object field(String name) throws ReflectiveOperationException {
    Field field = ZooKeeperServerMain.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(this);
  }
}
