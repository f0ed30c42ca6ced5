package elasticjob.interop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.dataflow.job.DataflowJob;

/** Has one batch for every other fetch of an item: a streaming run ends after its first one. */
public final class RecordedDataflow implements DataflowJob<String> {
  private final Map<Integer, Boolean> fetched = new ConcurrentHashMap<>();

  @Override
  public List<String> fetchData(ShardingContext context) {
    boolean before = fetched.merge(context.getShardingItem(), true, (was, now) -> !was);
    return before ? List.of("a", "b") : List.of();
  }

  @Override
  public void processData(ShardingContext context, List<String> data) {
    Journal.run(
        context.getJobName(),
        context.getShardingItem(),
        context.getTaskId(),
        String.join(",", data));
  }
}
