/** What the doctor finds, and what to do about it. */
export const doctor: Readonly<Record<string, string>> = {
  'it is broken: {}': '作业已损坏：{0}',
  'it is broken: {}, and so are {} more of its nodes': '作业已损坏：{0}，另有 {1} 个节点亦然',
  '`elasticjob repair JOB` shows what can be reset and what is lost by that; `--yes` does it':
    '`elasticjob repair JOB` 会说明可以重置什么、会丢失什么；加 `--yes` 执行',
  'its state cannot be read: repair the job': '分片状态无法读取：请修复作业',
  // A number stands apart from the character that follows it, wherever these are put.
  'shard {}': '分片 {0} ',
  'shards {} and {} more': '分片 {0} 及其他 {1} 个',
  'shards {} and {}': '分片 {0} 和 {1} ',

  'one instance': '1 个实例',
  '{} instances': '{0} 个实例',
  'it waits to be triggered, on {}': '等待触发，共 {0}',
  'nothing is in its way: {}, next fire at {}': '一切正常：{0}，下次触发时间 {1}',

  'the registry cannot be reached: {}': '注册中心无法访问：{0}',
  'see that ZooKeeper runs and that the address is right; for development, `elasticjob zookeeper` starts one':
    '请确认 ZooKeeper 正在运行且地址正确；开发时可用 `elasticjob zookeeper` 启动一个',
  'the registry does not let us read there': '没有权限读取注册中心的这部分内容',
  'give the digest (name:password) with which the jobs were made, or the right sasl user':
    '请提供创建作业时所用的 digest（用户名:密码），或正确的 SASL 用户',
  'namespace "{}" has no job "{}"; {} has one': '命名空间“{0}”中没有作业“{1}”；{2} 中有',
  'look there with --namespace, or let the processes of the job use the same namespace':
    '用 --namespace 查看该命名空间，或让作业进程使用相同的命名空间',
  'there is no namespace "{}"': '没有命名空间“{0}”',
  'start a process that schedules a job: it makes the namespace':
    '启动一个调度作业的进程，它会创建命名空间',
  'there are {}; choose one with --namespace': '现有 {0}；用 --namespace 选择其一',
  'namespace "{}" has no job': '命名空间“{0}”中没有作业',
  'namespace "{}" has no job "{}"': '命名空间“{0}”中没有作业“{1}”',
  'it has no job at all: start a process that schedules one':
    '其中没有任何作业：请启动一个调度作业的进程',
  '`elasticjob jobs` lists those that there are': '`elasticjob jobs` 可列出现有的作业',
  '{}; or look with its digest into {}, where we may not read':
    '{0}；或用相应的 digest 查看 {1}，当前无权读取',

  'its configuration cannot be used: {}': '配置无法使用：{0}',
  'correct it with `elasticjob config edit JOB`': '用 `elasticjob config edit JOB` 修正',
  'it has no configuration: its nodes are incomplete; remove it, or schedule it again':
    '没有配置：节点不完整；请删除该作业，或重新调度',
  'its nodes are gone: only what is known of its runs is left; remove it, or schedule it again':
    '节点已不存在，只剩运行记录；请删除该作业，或重新调度',
  '{}; if it is one of Elastic-Job 1.x, `elasticjob import` takes it over':
    '{0}；如果是 Elastic-Job 1.x 的作业，可用 `elasticjob import` 导入',

  'it is being removed; {} instances have not left yet': '正在删除，还有 {0} 个实例尚未退出',
  'its removal was begun and not finished': '删除已开始但没有完成',
  'remove it once more to finish, then schedule it again if it is still wanted':
    '再次删除以完成；如仍需要，之后重新调度',

  'no instance takes part: an operator has shut it down on {}':
    '没有实例参与：操作员已在 {0} 上将其终止',
  'start the processes of the job again': '重新启动作业的进程',
  'no instance takes part': '没有实例参与',
  'no instance takes part; it was last seen on {}': '没有实例参与，最近出现在 {0}',
  'start a process that schedules it, and see that it has the same registry and namespace':
    '启动一个调度该作业的进程，并确认其注册中心和命名空间与此处相同',

  'all servers that take part are disabled: {}': '参与的服务器均已禁用：{0}',
  'disabled servers get no shards: {}': '已禁用的服务器不会获得分片：{0}',
  '`elasticjob enable JOB --server ADDRESS`, for {}':
    '`elasticjob enable JOB --server ADDRESS`，针对 {0}',

  'the node instances/{} belongs to no session: it gets no shards':
    '节点 instances/{0} 不属于任何会话：它不会获得分片',
  '{} nodes below instances belong to no session, instances/{} among them: they get no shards':
    'instances 下有 {0} 个节点不属于任何会话（例如 instances/{1}）：它们不会获得分片',
  'delete them; the leader deletes those of our form after ten minutes':
    '请删除它们；主节点会在十分钟后删除本产品格式的节点',

  'its cron fires are paused': 'cron 触发已暂停',
  'its cron fires are paused on {}': 'cron 触发已在 {0} 上暂停',
  'cron fires are paused on {}: shards there do not run by themselves':
    'cron 触发已在 {0} 上暂停：那里的分片不会自动运行',
  '`elasticjob resume JOB`; what fell due meanwhile is not made up for':
    '`elasticjob resume JOB`；期间错过的触发不会补偿',

  'Java instances take part, and never fire with the zone "{}"':
    '有 Java 实例参与，它们使用时区“{0}”时不会触发',
  'give the zone as a distance such as "GMT+08:00"': '将时区改为偏移量形式，例如“GMT+08:00”',

  "the clock of this machine is {} s ahead of the registry's, and the job allows {} s: nothing of it runs on such a machine":
    '本机时钟比注册中心快 {0} 秒，而作业只允许 {1} 秒：这样的机器上不会运行该作业',
  "the clock of this machine is {} s behind the registry's, and the job allows {} s: nothing of it runs on such a machine":
    '本机时钟比注册中心慢 {0} 秒，而作业只允许 {1} 秒：这样的机器上不会运行该作业',
  "the clock of {} is {} s ahead of the registry's, and the job allows {} s: the instance takes no part until it is right":
    '{0} 的时钟比注册中心快 {1} 秒，而作业只允许 {2} 秒：时钟校准之前该实例不参与作业',
  "the clock of {} is {} s behind the registry's, and the job allows {} s: the instance takes no part until it is right":
    '{0} 的时钟比注册中心慢 {1} 秒，而作业只允许 {2} 秒：时钟校准之前该实例不参与作业',
  '{}; and so it is with {} more': '{0}；另有 {1} 个实例也是如此',
  'set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds':
    '校准本机或注册中心的时钟（NTP），或调大 maxTimeDiffSeconds',

  'no instance leads it at this moment: the shards are not assigned':
    '目前没有主节点：分片无法分配',
  'wait a second and ask again; if it stays so, look for a latch that a dead process has left below leader/election/latch (`elasticjob dump JOB`), and at the logs of the instances':
    '稍等一秒后重新诊断；如仍如此，检查 leader/election/latch 下是否有已退出进程遗留的节点（`elasticjob dump JOB`），并查看各实例的日志',

  'a resharding is requested': '分片需要重新分配',
  'a resharding is requested; it waits for a run to end': '分片需要重新分配，正在等待 1 个运行结束',
  'a resharding is requested; it waits for {} runs to end':
    '分片需要重新分配，正在等待 {0} 个运行结束',
  'nothing: shards that do not run move at once': '无需处理：没有在运行的分片会立即迁移',
  'a Java leader does it at the next fire, when nothing runs; stop runs that do not end':
    'Java 主节点会在下次触发时重新分配，前提是没有分片正在运行；请停止不会结束的运行',

  'manual run {}, asked for at {}, is not over': '第 {0} 轮执行（请求于 {1}）尚未结束',
  'manual run {}, asked for at {}, is not over, and manual run {} waits for it':
    '第 {0} 轮执行（请求于 {1}）尚未结束，第 {2} 轮正在等待',
  'nothing, if its shards run; the shards below say what they wait for':
    '如果其分片正在运行则无需处理；下面各分片会说明在等待什么',

  'it has no cron expression: it runs when it is triggered, and only then':
    '没有 cron 表达式：仅在被触发时运行',
  '`elasticjob trigger JOB`, or give it a cron expression with `config set`':
    '`elasticjob trigger JOB`，或用 `config set` 设置 cron 表达式',
  '"{}" never fires again': '“{0}”不会再触发',
  'give it an expression that does: `elasticjob cron` shows the next fires of one':
    '请改用仍会触发的表达式：`elasticjob cron` 可显示其后续触发时间',
  '{} did not run at {}, although nothing here is in the way':
    '{0}在 {1} 没有运行，尽管此处没有阻碍',
  'look at the log of its owner at that time: a lost connection, a blocked event loop, a full pool, or a clock that was refused; `catch.up` of the props says what becomes of such times':
    '查看归属实例当时的日志：连接断开、事件循环阻塞、线程池已满，或时钟误差过大；属性 `catch.up` 决定如何处理错过的时间',

  'nobody owns {} yet': '{0}尚无归属',
  'the leader assigns them within seconds; if it does not, see what it says in its log (sharding:failed), and that an enabled instance takes part':
    '主节点会在几秒内分配；如果没有，请查看其日志（sharding:failed），并确认有已启用的实例参与',
  'the owner of {} takes no part at this moment: {}': '{0}的归属实例目前没有参与：{1}',
  'they are given to others within seconds; an instance that crashed is missed when its session has ended':
    '几秒内会分配给其他实例；实例崩溃要到其会话结束后才会被发现',
  'an operator has disabled {}': '操作员已禁用{0}',
  '`elasticjob enable JOB --item SHARD`; what fell due meanwhile is not made up for':
    '`elasticjob enable JOB --item SHARD`；期间错过的触发不会补偿',
  'a crashed instance has left {} unfinished; somebody has to take over':
    '实例崩溃，{0}尚未完成，等待接管',
  'a crashed instance has left {} unfinished; every instance that could take over is paused':
    '实例崩溃，{0}尚未完成；可接管的实例均已暂停',
  '`elasticjob resume JOB`: the takeover then follows at once':
    '`elasticjob resume JOB`：恢复后会立即接管',
  'an idle instance does so at once: see that an enabled one takes part':
    '空闲实例会立即接管：请确认有已启用的实例参与',
  'a crashed instance has left {} unfinished, and failover is off':
    '实例崩溃，{0}尚未完成，且未开启失效转移',
  'they run at their next time; run them now with `elasticjob trigger JOB --failed`, or switch failover on':
    '它们会在下一次时间运行；可用 `elasticjob trigger JOB --failed` 立即执行，或开启失效转移',
  '{} killed one instance after the other and was given up until its next time':
    '{0}使实例相继崩溃，已放弃，到下一次时间再运行',
  'look at why the process dies (memory, native code); `failover.max.attempts` of the props is how often it is tried':
    '检查进程崩溃的原因（内存、原生代码）；属性 `failover.max.attempts` 为尝试次数',
  '{} runs; until it ends, no other run of it begins':
    '{0}正在运行；在其结束之前，不会开始该分片的下一次运行',
  '{} runs for {} s; until it ends, no other run of it begins':
    '{0}已运行 {1} 秒；在其结束之前，不会开始该分片的下一次运行',
  'nothing, if it takes as long as it should; else give it a `timeout.milliseconds`, or stop it with `elasticjob stop JOB --item SHARD`':
    '如果本就需要这么久则无需处理；否则设置 `timeout.milliseconds`，或用 `elasticjob stop JOB --item SHARD` 停止',
  'the last run of {} failed: no reason was given': '{0}上次运行失败：未说明原因',
  'the last run of {} failed: {}': '{0}上次运行失败：{1}',
  'fix the cause, then `elasticjob trigger JOB --failed` runs them again':
    '排除原因后，用 `elasticjob trigger JOB --failed` 重新执行',
}
