import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.kernel.infra.yaml.YamlEngine;
import org.apache.shardingsphere.elasticjob.kernel.internal.config.JobConfigurationPOJO;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.JobInstance;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.ShardingItemParameters;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.strategy.JobShardingStrategy;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.strategy.type.AverageAllocationJobShardingStrategy;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.strategy.type.OdevitySortByNameJobShardingStrategy;
import org.apache.shardingsphere.elasticjob.kernel.internal.sharding.strategy.type.RoundRobinByNameJobShardingStrategy;
import org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration;
import org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration;

/** Asks ElasticJob 3.0.5 itself: a question a line, as JSON; an answer a line, as JSON. */
public final class Oracle {

    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    public static void main(final String[] args) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        for (String line = questions.readLine(); null != line; line = questions.readLine()) {
            JsonObject question = JsonParser.parseString(line).getAsJsonObject();
            JsonObject answer = new JsonObject();
            try {
                answer(question, answer);
            } catch (final Exception ex) {
                answer.addProperty("refused", ex.getClass().getSimpleName());
            }
            JsonObject both = new JsonObject();
            both.add("question", question);
            both.add("answer", answer);
            answers.println(GSON.toJson(both));
        }
    }

    private static void answer(final JsonObject question, final JsonObject answer) {
        switch (text(question, "ask")) {
            case "write":
                answer.addProperty("yaml", YamlEngine.marshal(JobConfigurationPOJO.fromJobConfiguration(build(question.getAsJsonObject("job")))));
                break;
            case "traced":
                answer.addProperty("yaml", YamlEngine.marshal(traced()));
                break;
            case "read":
                answer.add("job", GSON.toJsonTree(fields(YamlEngine.unmarshal(text(question, "yaml"), JobConfigurationPOJO.class).toJobConfiguration())));
                break;
            case "instance":
                answer.addProperty("yaml", YamlEngine.marshal(new JobInstance(text(question, "id"), text(question, "labels"), text(question, "ip"))));
                break;
            case "parameters":
                answer.add("parameters", GSON.toJsonTree(new ShardingItemParameters(text(question, "text")).getMap()));
                break;
            case "shard":
                answer.addProperty("hash", text(question, "jobName").hashCode());
                answer.add("items", GSON.toJsonTree(shard(question)));
                break;
            default:
                throw new IllegalArgumentException();
        }
    }

    private static JobConfiguration build(final JsonObject job) {
        JobConfiguration.Builder result = JobConfiguration.newBuilder(text(job, "jobName"), job.get("shardingTotalCount").getAsInt());
        result.cron(text(job, "cron")).timeZone(text(job, "timeZone")).shardingItemParameters(text(job, "shardingItemParameters"));
        result.jobParameter(text(job, "jobParameter")).description(text(job, "description")).label(text(job, "label"));
        result.jobShardingStrategyType(text(job, "jobShardingStrategyType")).jobErrorHandlerType(text(job, "jobErrorHandlerType"));
        result.jobExecutorThreadPoolSizeProviderType(text(job, "jobExecutorThreadPoolSizeProviderType"));
        result.monitorExecution(flag(job, "monitorExecution")).failover(flag(job, "failover")).misfire(flag(job, "misfire"));
        result.disabled(flag(job, "disabled")).overwrite(flag(job, "overwrite")).staticSharding(flag(job, "staticSharding"));
        result.maxTimeDiffSeconds(job.get("maxTimeDiffSeconds").getAsInt()).reconcileIntervalMinutes(job.get("reconcileIntervalMinutes").getAsInt());
        for (JsonElement each : job.getAsJsonArray("jobListenerTypes")) {
            result.jobListenerTypes(each.getAsString());
        }
        for (Map.Entry<String, JsonElement> entry : job.getAsJsonObject("props").entrySet()) {
            result.setProperty(entry.getKey(), entry.getValue().getAsString());
        }
        return result.build();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static JobConfigurationPOJO traced() {
        YamlDataSourceConfiguration dataSource = new YamlDataSourceConfiguration();
        dataSource.setDataSourceClassName("com.zaxxer.hikari.HikariDataSource");
        Map<String, Object> props = new LinkedHashMap<>();
        props.put("jdbcUrl", "jdbc:h2:mem:job_event_storage");
        props.put("username", "sa");
        props.put("password", "");
        props.put("maximumPoolSize", 10);
        props.put("autoCommit", true);
        props.put("connectionInitSql", "SET a = 1;\nSET b = 2");
        dataSource.setProps(props);
        YamlTracingConfiguration tracing = new YamlTracingConfiguration();
        tracing.setType("RDB");
        tracing.setTracingStorageConfiguration(dataSource);
        JobConfigurationPOJO result = JobConfigurationPOJO.fromJobConfiguration(JobConfiguration.newBuilder("traced", 3).cron("0/5 * * * * ?").build());
        Collection extras = new ArrayList<>();
        extras.add(tracing);
        result.setJobExtraConfigurations(extras);
        return result;
    }

    private static Map<String, Object> fields(final JobConfiguration job) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("jobName", job.getJobName());
        result.put("cron", job.getCron());
        result.put("timeZone", job.getTimeZone());
        result.put("shardingTotalCount", job.getShardingTotalCount());
        result.put("shardingItemParameters", job.getShardingItemParameters());
        result.put("jobParameter", job.getJobParameter());
        result.put("monitorExecution", job.isMonitorExecution());
        result.put("failover", job.isFailover());
        result.put("misfire", job.isMisfire());
        result.put("maxTimeDiffSeconds", job.getMaxTimeDiffSeconds());
        result.put("reconcileIntervalMinutes", job.getReconcileIntervalMinutes());
        result.put("jobShardingStrategyType", job.getJobShardingStrategyType());
        result.put("jobExecutorThreadPoolSizeProviderType", job.getJobExecutorThreadPoolSizeProviderType());
        result.put("jobErrorHandlerType", job.getJobErrorHandlerType());
        result.put("jobListenerTypes", new ArrayList<>(job.getJobListenerTypes()));
        result.put("description", job.getDescription());
        Map<String, String> props = new LinkedHashMap<>();
        for (String each : new TreeSet<>(job.getProps().stringPropertyNames())) {
            props.put(each, job.getProps().getProperty(each));
        }
        result.put("props", props);
        result.put("disabled", job.isDisabled());
        result.put("overwrite", job.isOverwrite());
        result.put("label", job.getLabel());
        result.put("staticSharding", job.isStaticSharding());
        return result;
    }

    private static Map<String, List<Integer>> shard(final JsonObject question) {
        List<JobInstance> instances = new ArrayList<>();
        for (JsonElement each : question.getAsJsonArray("instances")) {
            instances.add(new JobInstance(each.getAsString(), null, "127.0.0.1"));
        }
        Map<String, List<Integer>> result = new LinkedHashMap<>();
        strategy(text(question, "type")).sharding(instances, text(question, "jobName"), question.get("total").getAsInt())
                .forEach((instance, items) -> result.put(instance.getJobInstanceId(), items));
        return result;
    }

    private static JobShardingStrategy strategy(final String type) {
        switch (type) {
            case "ODEVITY":
                return new OdevitySortByNameJobShardingStrategy();
            case "ROUND_ROBIN":
                return new RoundRobinByNameJobShardingStrategy();
            default:
                return new AverageAllocationJobShardingStrategy();
        }
    }

    private static String text(final JsonObject object, final String key) {
        return object.has(key) && !object.get(key).isJsonNull() ? object.get(key).getAsString() : null;
    }

    private static boolean flag(final JsonObject object, final String key) {
        return object.get(key).getAsBoolean();
    }
}
