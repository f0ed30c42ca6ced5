package elasticjob.bench;

import java.util.List;

/** What ElasticJob calls an instance: of every job there can be one. */
public interface Instance {
  /** Takes part in a job, and returns when it is scheduled. */
  void start(String job, String cron, int items, boolean failover, boolean lingers)
      throws Exception;

  void stop(String job);

  /** Its id, the same in all jobs. */
  String id();

  /** Forgets what has run. */
  void clear();

  /** All that has run since: job, item, scheduled time and time of the first line, in milliseconds. */
  List<Object[]> runs();
}
