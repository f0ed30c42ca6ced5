package elasticjob.bench;

import java.lang.reflect.Field;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.infra.env.IpUtils;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.internal.schedule.JobRegistry;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.listeners.TriggerListenerSupport;

/** An instance with jobs that do nothing but note when they begin. */
public final class ElasticJobInstance implements Instance {
  private final ZookeeperRegistryCenter registry;
  private final Map<String, ScheduleJobBootstrap> jobs = new ConcurrentHashMap<>();
  private final Map<String, Long> fires = new ConcurrentHashMap<>();
  private volatile ConcurrentLinkedQueue<Object[]> runs = new ConcurrentLinkedQueue<>();
  private volatile String id;

  public ElasticJobInstance(String servers, String namespace, int sessionTimeout, String ip)
      throws ReflectiveOperationException {
    beHost(ip);
    ZookeeperConfiguration configuration = new ZookeeperConfiguration(servers, namespace);
    // 0 is Java's own default.
    if (sessionTimeout > 0) configuration.setSessionTimeoutMilliseconds(sessionTimeout);
    registry = new ZookeeperRegistryCenter(configuration);
    registry.init();
  }

  /** Several hosts on one machine: ElasticJob finds its address once, and never on the loopback. */
  private static void beHost(String ip) throws ReflectiveOperationException {
    Field cached = IpUtils.class.getDeclaredField("cachedIpAddress");
    cached.setAccessible(true);
    cached.set(null, ip);
  }

  @Override
  public void start(String job, String cron, int items, boolean failover, boolean lingers)
      throws Exception {
    JobConfiguration configuration =
        JobConfiguration.newBuilder(job, items).cron(cron).failover(failover).build();
    ScheduleJobBootstrap bootstrap =
        new ScheduleJobBootstrap(registry, new Body(lingers), configuration);
    jobs.put(job, bootstrap);
    schedulerOf(job).getListenerManager().addTriggerListener(new FireListener(job));
    bootstrap.schedule();
    id = JobRegistry.getInstance().getJobInstance(job).getJobInstanceId();
  }

  @Override
  public void stop(String job) {
    jobs.remove(job).shutdown();
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public void clear() {
    runs = new ConcurrentLinkedQueue<>();
  }

  @Override
  public List<Object[]> runs() {
    return new ArrayList<>(runs);
  }

  private static Scheduler schedulerOf(String job) throws ReflectiveOperationException {
    Object controller = JobRegistry.getInstance().getJobScheduleController(job);
    Field scheduler = controller.getClass().getDeclaredField("scheduler");
    scheduler.setAccessible(true);
    return (Scheduler) scheduler.get(controller);
  }

  /** All instances of a job need to have a body of the same class. */
  private final class Body implements SimpleJob {
    private final boolean lingers;

    private Body(boolean lingers) {
      this.lingers = lingers;
    }

    @Override
    public void execute(ShardingContext context) {
      Instant now = Instant.now();
      double at = now.getEpochSecond() * 1e3 + now.getNano() / 1e6;
      String job = context.getJobName();
      runs.add(new Object[] {job, context.getShardingItem(), fires.getOrDefault(job, 0L), at});
      if (lingers) waitForEver();
    }

    private void waitForEver() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException ex) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Knows for which scheduled time a job runs, which ElasticJob does not tell its jobs. */
  private final class FireListener extends TriggerListenerSupport {
    private final String job;

    private FireListener(String job) {
      this.job = job;
    }

    @Override
    public String getName() {
      return "fires of " + job;
    }

    @Override
    public void triggerFired(Trigger trigger, JobExecutionContext context) {
      fires.put(job, context.getScheduledFireTime().getTime());
    }
  }
}
