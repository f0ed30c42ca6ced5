package elasticjob.interop;

import java.util.Map;
import org.apache.shardingsphere.elasticjob.infra.listener.ShardingContexts;
import org.apache.shardingsphere.elasticjob.lite.api.listener.AbstractDistributeOnceElasticJobListener;

/** Writes down that a whole round has begun, or has ended: once for all instances. */
public final class RecordedRounds extends AbstractDistributeOnceElasticJobListener {
  private static final long PATIENCE = 20_000;

  public RecordedRounds() {
    super(PATIENCE, PATIENCE);
  }

  @Override
  public void doBeforeJobExecutedAtLastStarted(ShardingContexts contexts) {
    write(contexts, "started");
  }

  @Override
  public void doAfterJobExecutedAtLastCompleted(ShardingContexts contexts) {
    write(contexts, "completed");
  }

  private static void write(ShardingContexts contexts, String phase) {
    Journal.write(
        Map.of(
            "event", "round",
            "job", contexts.getJobName(),
            "phase", phase,
            "at", System.currentTimeMillis()));
  }

  @Override
  public String getType() {
    return "rounds";
  }
}
