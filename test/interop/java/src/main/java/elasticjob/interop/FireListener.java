package elasticjob.interop;

import java.util.HashMap;
import java.util.Map;
import org.quartz.CronTrigger;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.listeners.TriggerListenerSupport;

/** Knows for which time a job runs, which ElasticJob does not tell, and which it leaves out. */
final class FireListener extends TriggerListenerSupport {
  private final String job;
  private final String instance;
  private final Owners owners;
  private volatile Missed missed;

  /** From when on times were missed, and of which items. */
  private record Missed(long from, Map<Integer, Long> items) {}

  FireListener(String job, String instance, Owners owners) {
    this.job = job;
    this.instance = instance;
    this.owners = owners;
  }

  @Override
  public String getName() {
    return "fires of " + job;
  }

  @Override
  public void triggerFired(Trigger trigger, JobExecutionContext context) {
    long at = context.getScheduledFireTime().getTime();
    boolean scheduled = trigger instanceof CronTrigger;
    if (scheduled) tellMissed(at);
    Journal.fired(job, new Fire(at, scheduled));
  }

  /** What the misfire has cost is known when the next time is: Quartz takes a while to find it. */
  private void tellMissed(long next) {
    Missed known = missed;
    missed = null;
    if (known == null) return;
    Journal.leftOut("java:misfired", job, known.from(), next - 1, known.items());
  }

  /** Says which items were this instance's when the fire asked for them, and were not run. */
  @Override
  public void triggerComplete(
      Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
    Fire fire = Journal.fireOf(job);
    if (!fire.scheduled) return;
    Journal.madeUp(job);
    Map<Integer, Long> left = new HashMap<>();
    fire.answers()
        .forEach(
            (item, answer) -> {
              if (owners.hadBeen(instance, job, item, answer)) left.put(item, fire.at);
            });
    if (!left.isEmpty()) Journal.leftOut("java:asked-old-copy", job, fire.at, fire.at, left);
  }

  /** The only thread of Quartz was busy at these times, or the connection was gone. */
  @Override
  public void triggerMisfired(Trigger trigger) {
    if (!(trigger instanceof CronTrigger)) return;
    if (missed != null) return;
    long from = trigger.getNextFireTime().getTime();
    missed = new Missed(from, owners.itemsOf(instance, job));
    Journal.misfired(job, from);
  }
}
