package elasticjob.bench;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * ElasticJob and Quartz once more, with static fields of their own: that is what they keep the instance in,
 * so that a JVM has one. What they use is shared.
 */
final class OwnClasses extends URLClassLoader {
  private OwnClasses(URL[] places) {
    super(places, OwnClasses.class.getClassLoader());
  }

  static Instance instance(String servers, String namespace, int sessionTimeout, String ip)
      throws Exception {
    OwnClasses classes = new OwnClasses(classPath());
    // ElasticJob finds its own parts by the thread that asks for them.
    Thread.currentThread().setContextClassLoader(classes);
    Instance instance =
        (Instance)
            classes
                .loadClass("elasticjob.bench.ElasticJobInstance")
                .getConstructor(String.class, String.class, int.class, String.class)
                .newInstance(servers, namespace, sessionTimeout, ip);
    return new OnOwnClasses(instance, classes);
  }

  private static URL[] classPath() throws Exception {
    String[] words = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] places = new URL[words.length];
    for (int i = 0; i < words.length; i++) places[i] = new File(words[i]).toURI().toURL();
    return places;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOwn(name)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  private static boolean isOwn(String name) {
    return name.startsWith("org.apache.shardingsphere.elasticjob.")
        || name.startsWith("org.quartz.")
        || name.startsWith("elasticjob.bench.ElasticJobInstance");
  }
}
