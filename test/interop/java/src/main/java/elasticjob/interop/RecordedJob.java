package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** Writes down that it ran. */
public final class RecordedJob implements SimpleJob {
  @Override
  public void execute(ShardingContext context) {
    Journal.run(
        context.getJobName(),
        context.getShardingItem(),
        context.getTaskId(),
        context.getShardingParameter());
  }
}
