import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Date;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.quartz.CronExpression;

/**
 * Asks Quartz. Each line of the input is an expression, a zone, a time in milliseconds and a count,
 * with tabs between them; each line of the output is one of
 * `fires 1 2 3`, `fires 1 ends` (none comes after), `refused` (it cannot be parsed),
 * `fails` (it can, but asking for a time throws) and `hangs` (there is no answer within two seconds).
 */
public final class QuartzFires {

    public static void main(final String[] args) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] parts = line.split("\t", -1);
            Future<String> answer = threads.submit(
                () -> ask(parts[0], parts[1], Long.parseLong(parts[2]), Integer.parseInt(parts[3])));
            try {
                System.out.println(answer.get(2, TimeUnit.SECONDS));
            } catch (TimeoutException ex) {
                System.out.println("hangs");
            }
        }
    }

    private static String ask(final String cron, final String zone, final long after, final int count) {
        CronExpression expression;
        try {
            expression = new CronExpression(cron);
        } catch (java.text.ParseException ex) {
            return "refused";
        }
        expression.setTimeZone(TimeZone.getTimeZone(zone));
        StringBuilder result = new StringBuilder("fires");
        try {
            Date time = new Date(after);
            for (int i = 0; i < count; i++) {
                time = expression.getNextValidTimeAfter(time);
                if (time == null) {
                    return result.append(" ends").toString();
                }
                result.append(' ').append(time.getTime());
            }
        } catch (RuntimeException ex) {
            return "fails";
        }
        return result.toString();
    }
}
