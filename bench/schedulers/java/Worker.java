package elasticjob.bench;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One process with Apache ElasticJob that does what its standard input tells it to: a command a line, an
 * answer a line, both as JSON. The end of the input ends the process.
 */
public final class Worker {
  private static final Gson JSON = new Gson();
  private final List<Instance> instances = new ArrayList<>();

  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Whatever else writes to the standard output would be taken for an answer.
    System.setOut(System.err);
    int status = 1;
    try {
      new Worker().work(JSON.fromJson(args[0], JsonObject.class), out);
      status = 0;
    } catch (Exception ex) {
      ex.printStackTrace();
    }
    // Nobody is interested in how jobs end here, and some have been told never to.
    Runtime.getRuntime().halt(status);
  }

  private void work(JsonObject options, PrintStream out) throws Exception {
    String servers = options.get("servers").getAsString();
    String namespace = options.get("namespace").getAsString();
    int sessionTimeout = options.get("sessionTimeout").getAsInt();
    for (JsonElement ip : options.getAsJsonArray("ips")) {
      instances.add(OwnClasses.instance(servers, namespace, sessionTimeout, ip.getAsString()));
    }
    out.println("{}");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      out.println(JSON.toJson(obey(JSON.fromJson(line, JsonObject.class))));
    }
  }

  private Map<String, ?> obey(JsonObject command) throws Exception {
    switch (command.get("do").getAsString()) {
      case "start":
        return start(command);
      case "stop":
        for (Instance one : instances) one.stop(command.get("job").getAsString());
        return Map.of();
      case "clear":
        for (Instance one : instances) one.clear();
        return Map.of();
      case "runs":
        List<Object[]> runs = new ArrayList<>();
        for (Instance one : instances) runs.addAll(one.runs());
        return Map.of("runs", runs);
      case "collect":
        // The second one takes what the first has found to be at its end.
        System.gc();
        System.gc();
        return Map.of();
      default:
        throw new IllegalArgumentException("no such command: " + command);
    }
  }

  private Map<String, ?> start(JsonObject command) throws Exception {
    long begun = System.nanoTime();
    List<String> ids = new ArrayList<>();
    for (Instance one : instances) {
      for (JsonElement job : command.getAsJsonArray("jobs")) {
        JsonObject wanted = job.getAsJsonObject();
        one.start(
            wanted.get("name").getAsString(),
            wanted.get("cron").getAsString(),
            wanted.get("shards").getAsInt(),
            wanted.get("failover").getAsBoolean(),
            wanted.get("lingers").getAsBoolean());
      }
      ids.add(one.id());
    }
    return Map.of("instances", ids, "milliseconds", (System.nanoTime() - begun) / 1e6);
  }
}
