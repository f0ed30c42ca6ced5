import java.util.ArrayList;
import java.util.List;
import org.apache.shardingsphere.elasticjob.lite.lifecycle.api.JobAPIFactory;
import org.apache.shardingsphere.elasticjob.lite.lifecycle.api.JobStatisticsAPI;

/** Asks for the list of jobs as the back end of Java's console does, and says how long that takes. */
public final class JobList {
  public static void main(String[] args) {
    JobStatisticsAPI jobs = JobAPIFactory.createJobStatisticsAPI(args[0], args[1], null);
    List<Double> took = new ArrayList<>();
    int count = 0;
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      long began = System.nanoTime();
      count = jobs.getAllJobsBriefInfo().size();
      took.add((System.nanoTime() - began) / 1e6);
    }
    System.out.println("{\"took\":" + took + ",\"jobs\":" + count + "}");
    System.exit(0);
  }
}
