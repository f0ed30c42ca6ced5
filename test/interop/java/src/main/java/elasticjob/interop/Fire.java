package elasticjob.interop;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Why and for when a job's one Quartz thread runs, and what it has come to know since it does. */
final class Fire {
  /** An owner; for what the copy of the registry has said, with the time at which it was asked. */
  record Answer(String owner, long at) {}

  final long at;
  final boolean scheduled;

  /** Others ask for owners, too; what they hear decides about no run. */
  private final Thread thread = Thread.currentThread();

  private final Map<Integer, Answer> answers = new ConcurrentHashMap<>();
  private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

  Fire(long at, boolean scheduled) {
    this.at = at;
    this.scheduled = scheduled;
  }

  void heard(int item, Answer answer) {
    if (Thread.currentThread() == thread) answers.put(item, answer);
  }

  Map<Integer, Answer> answers() {
    return answers;
  }

  /** Whether the item begins for the first time; for the second, to make up for a misfire. */
  boolean begins(int item) {
    return begun.add(item);
  }
}
