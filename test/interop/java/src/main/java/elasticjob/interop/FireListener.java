package elasticjob.interop;

import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.CronTrigger;
import org.quartz.listeners.TriggerListenerSupport;

/** Knows for which scheduled time a job runs, which ElasticJob does not tell its jobs. */
final class FireListener extends TriggerListenerSupport {
  private final String job;

  FireListener(String job) {
    this.job = job;
  }

  @Override
  public String getName() {
    return "fires of " + job;
  }

  @Override
  public void triggerFired(Trigger trigger, JobExecutionContext context) {
    long at = context.getScheduledFireTime().getTime();
    Journal.fired(job, new Journal.Fire(at, trigger instanceof CronTrigger));
  }
}
