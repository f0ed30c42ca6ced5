package elasticjob.interop;

import org.quartz.listeners.SchedulerListenerSupport;

/** Says to which times of a job its thread had not come when it was shut down. */
final class ShutdownListener extends SchedulerListenerSupport {
  private final String job;
  private final String instance;
  private final Owners owners;

  ShutdownListener(String job, String instance, Owners owners) {
    this.job = job;
    this.instance = instance;
    this.owners = owners;
  }

  @Override
  public void schedulerShuttingdown() {
    Fire last = Journal.fireOf(job);
    if (last == null) return;
    long now = System.currentTimeMillis();
    Journal.leftOut("java:shut-down", job, last.at + 1, now, owners.itemsOf(instance, job));
  }
}
