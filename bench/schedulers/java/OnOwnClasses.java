package elasticjob.bench;

import java.util.List;

/** An instance whose threads find its own classes. */
final class OnOwnClasses implements Instance {
  private final Instance instance;
  private final ClassLoader classes;

  OnOwnClasses(Instance instance, ClassLoader classes) {
    this.instance = instance;
    this.classes = classes;
  }

  @Override
  public void start(String job, String cron, int items, boolean failover, boolean lingers)
      throws Exception {
    // Threads inherit it from the one that starts them.
    Thread.currentThread().setContextClassLoader(classes);
    instance.start(job, cron, items, failover, lingers);
  }

  @Override
  public void stop(String job) {
    instance.stop(job);
  }

  @Override
  public String id() {
    return instance.id();
  }

  @Override
  public void clear() {
    instance.clear();
  }

  @Override
  public List<Object[]> runs() {
    return instance.runs();
  }
}
