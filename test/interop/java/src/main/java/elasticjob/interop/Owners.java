package elasticjob.interop;

import elasticjob.interop.Fire.Answer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.shardingsphere.elasticjob.reg.base.CoordinatorRegistryCenter;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * Who owns items: as ElasticJob believes, which asks a copy of the registry, and as it is.
 *
 * <p>The copy learns of a change by a watch and one more request. Who has just been told by the
 * registry itself that the items were dealt out may be faster than that, and hear what was before.
 */
final class Owners {
  private static final Pattern OWNER = Pattern.compile("/(.+)/sharding/([0-9]+)/instance");
  private final CoordinatorRegistryCenter registry;

  Owners(CoordinatorRegistryCenter registry) {
    this.registry = registry;
  }

  /** The same registry, except that fires remember what its copy has said to them. */
  CoordinatorRegistryCenter overheard() {
    return (CoordinatorRegistryCenter)
        Proxy.newProxyInstance(
            Owners.class.getClassLoader(),
            new Class<?>[] {CoordinatorRegistryCenter.class},
            (proxy, method, args) -> overhear(method, args));
  }

  private Object overhear(Method method, Object[] args) throws Throwable {
    try {
      Object result = method.invoke(registry, args);
      if (method.getName().equals("get")) hear((String) args[0], (String) result);
      return result;
    } catch (InvocationTargetException ex) {
      throw ex.getCause();
    }
  }

  private static void hear(String path, String owner) {
    Matcher words = OWNER.matcher(path);
    if (!words.matches()) return;
    Fire fire = Journal.fireOf(words.group(1));
    if (fire == null) return;
    int item = Integer.parseInt(words.group(2));
    fire.heard(item, new Answer(owner == null ? "" : owner, System.currentTimeMillis()));
  }

  /** Whether the registry had this owner already when its copy was asked and named another one. */
  boolean hadBeen(String instance, String job, int item, Answer answer) {
    if (answer.owner().equals(instance)) return false;
    Answer owner = ask(job, item);
    return owner.at() < answer.at() && owner.owner().equals(instance);
  }

  /** Whether the registry had another owner already when its copy was asked and named this one. */
  boolean hadNotBeen(String instance, String job, int item, Answer answer) {
    if (!answer.owner().equals(instance)) return false;
    Answer owner = ask(job, item);
    return owner.at() < answer.at() && !owner.owner().equals(instance);
  }

  /** What the instance owns, and since when. */
  Map<Integer, Long> itemsOf(String instance, String job) {
    Map<Integer, Long> items = new HashMap<>();
    for (String name : registry.getChildrenKeys("/" + job + "/sharding")) {
      int item = Integer.parseInt(name);
      Answer owner = ask(job, item);
      if (owner.owner().equals(instance)) items.put(item, owner.at());
    }
    return items;
  }

  /** The owner that the registry has itself, and since when: on one machine all clocks are one. */
  private Answer ask(String job, int item) {
    Stat stat = new Stat();
    try {
      CuratorFramework client = (CuratorFramework) registry.getRawClient();
      String path = "/" + job + "/sharding/" + item + "/instance";
      byte[] data = client.getData().storingStatIn(stat).forPath(path);
      return new Answer(new String(data, StandardCharsets.UTF_8), stat.getMtime());
    } catch (KeeperException.NoNodeException ex) {
      return new Answer("", Long.MAX_VALUE);
    } catch (Exception ex) {
      throw new IllegalStateException(ex);
    }
  }
}
