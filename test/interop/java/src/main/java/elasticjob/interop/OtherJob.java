package elasticjob.interop;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** Another class, for a job name that is taken already. */
public final class OtherJob implements SimpleJob {
  @Override
  public void execute(ShardingContext context) {}
}
