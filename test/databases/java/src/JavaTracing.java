import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;
import org.apache.shardingsphere.elasticjob.tracing.api.TracingConfiguration;
import org.apache.shardingsphere.elasticjob.tracing.event.JobExecutionEvent;
import org.apache.shardingsphere.elasticjob.tracing.rdb.listener.RDBTracingListener;

/**
 * Apache ElasticJob with its tracing into a database.
 *
 * <p>"run": a job of three items every second, the middle one of which fails, until the standard
 * input ends. "measure": its tracing listener alone, with as many threads as ElasticJob gives it, for
 * so many runs; prints how long that took and the processor time it took, in milliseconds.
 */
public final class JavaTracing {
  public static void main(String[] args) throws Exception {
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(args[1]);
    database.setUsername(args[2]);
    if (args[0].equals("run")) run(database, args[3], args[4]);
    else measure(database, Integer.parseInt(args[3]));
    Runtime.getRuntime().halt(0);
  }

  private static void run(DataSource database, String servers, String job) throws Exception {
    ZookeeperRegistryCenter registry =
        new ZookeeperRegistryCenter(new ZookeeperConfiguration(servers, "databases"));
    registry.init();
    JobConfiguration configuration =
        JobConfiguration.newBuilder(job, 3)
            .cron("0/1 * * * * ?")
            .jobErrorHandlerType("IGNORE")
            .addExtraConfigurations(new TracingConfiguration<DataSource>("RDB", database))
            .build();
    SimpleJob body =
        context -> {
          if (context.getShardingItem() == 1) throw new IllegalStateException("it failed");
        };
    ScheduleJobBootstrap bootstrap = new ScheduleJobBootstrap(registry, body, configuration);
    bootstrap.schedule();
    System.out.println("running");
    while (System.in.read() != -1) {}
    bootstrap.shutdown();
    registry.close();
  }

  private static void measure(DataSource database, int runs) throws Exception {
    RDBTracingListener listener = new RDBTracingListener(database);
    int threads = Runtime.getRuntime().availableProcessors() * 2;
    record(listener, threads, Math.min(runs, 500));
    long cpu = processorTime();
    long begin = System.nanoTime();
    record(listener, threads, runs);
    long end = System.nanoTime();
    System.out.printf(
        "{\"wall\": %d, \"cpu\": %d}%n",
        TimeUnit.NANOSECONDS.toMillis(end - begin),
        TimeUnit.NANOSECONDS.toMillis(processorTime() - cpu));
  }

  private static long processorTime() {
    return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Each run is told of twice, as it begins and as it has ended. */
  private static void record(RDBTracingListener listener, int threads, int runs) throws Exception {
    CountDownLatch ended = new CountDownLatch(threads);
    for (int thread = 0; thread < threads; thread++) {
      int share = runs / threads + (thread < runs % threads ? 1 : 0);
      new Thread(
              () -> {
                for (int index = 0; index < share; index++) {
                  String task = "measured@-@0@-@READY@-@10.0.0.1@-@1";
                  JobExecutionEvent begun =
                      new JobExecutionEvent(
                          "worker-1",
                          "10.0.0.1",
                          task,
                          "measured",
                          JobExecutionEvent.ExecutionSource.NORMAL_TRIGGER,
                          0);
                  listener.listen(begun);
                  listener.listen(begun.executionSuccess());
                }
                ended.countDown();
              })
          .start();
    }
    ended.await();
  }
}
