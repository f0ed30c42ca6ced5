/** What can be wrong with a configuration. */
export const configuration: Readonly<Record<string, string>> = {
  '{}: {}': '{0}：{1}',
  'the change of {}': '对 {0} 的更改',
  '{} is not valid:{}': '{0}无效：{1}',
  '{}\n  {}: {}': '{0}{1}：{2}；',
  'has "{}" in it, which stands for a secret that is not shown: leave the value as it was shown, or write all of it':
    '包含“{0}”，它代表未显示的机密：请保留所显示的值，或填写完整的值',
  'job "{}"': '作业“{0}”',
  'it is missing': '缺少此项',
  'it must be {}, not {}': '必须是{0}（当前值：{1}）',
  'a text': '文本',
  'a text, a number or a flag': '文本、数字或布尔值',
  'a text such as 0=a,1=b or an object such as { 0: "a" }':
    '文本（如 0=a,1=b）或对象（如 { 0: "a" }）',
  'a list': '列表',
  'a list of texts': '文本列表',
  'an object': '对象',
  'true or false': '布尔值 true 或 false',
  'a whole number': '整数',
  'a whole number from 1 to {}': '1 到 {0} 的整数',
  'shardingTotalCount is {}, and a job has {} shards at most':
    'shardingTotalCount 为 {0}，而一个作业最多有 {1} 个分片',
  'a whole number of seconds, or -1 not to look': '以秒为单位的整数，或表示不检查的 -1',
  'it contains half of a character (a lone surrogate)': '包含半个字符（不成对的代理码元）',
  'nobody knows the zone "{}"; write one such as Europe/Berlin or GMT+08:00':
    '未知的时区“{0}”；请使用如 Asia/Shanghai 或 GMT+08:00 的写法',
  'it must be CPU, SINGLE_THREAD or a number from 1 on, not "{}"':
    '必须是 CPU、SINGLE_THREAD 或不小于 1 的整数（当前值：“{0}”）',
  'it is empty; leave it out for the default': '不能为空文本；要使用默认值，请删除此项',
  'an element is empty': '有一个元素为空',
  'an element is not YAML: {}': '有一个元素不是 YAML：{0}',
  'it needs monitorExecution: without it nobody knows what a crashed instance was running':
    '需要开启 monitorExecution（监控执行）：否则无法得知崩溃的实例正在运行什么',
  'it is called {} now': '现在名为 {0}',
  'the body of the job says it: { type: "SCRIPT" }': '由作业的主体指定：{ type: "SCRIPT" }',
  'it is set twice, here and as {}': '重复设置：此处与 {0}',
  'CPU or a number from 1 on': 'CPU 或不小于 1 的整数',
  'a number of milliseconds, or a text such as 500ms, 30s, 5m, 2h or 1d':
    '毫秒数，或如 500ms、30s、5m、2h、1d 的文本',
  'there is no such setting': '没有此设置',
  'there is no such option': '没有此配置项',

  'it is empty; every job needs a name of its own': '不能为空；每个作业都需要自己的名称',
  '"{}" cannot be the name of a node': '“{0}”不能作为节点名称',
  'it contains "/", which would make it a path': '不能包含 "/"，否则会成为路径',
  'it contains "@-@", which separates the parts of task ids':
    '不能包含 "@-@"，它用于分隔任务 ID 的各个部分',
  'it contains the character U+{}, which ZooKeeper does not allow':
    '包含 ZooKeeper 不允许的字符 U+{0}',

  '"{}" is not of the form item=parameter, as in 0=Beijing,1=Shanghai':
    '“{0}”不符合“分片=参数”的格式，如 0=Beijing,1=Shanghai',
  '"{}" in "{}" is not the number of a shard, 0 or above':
    '“{1}”中的“{0}”不是分片编号；编号为不小于 0 的整数',
  'shard {} is named twice': '分片 {0} 出现了两次',
  'the key must be the number of a shard, 0 or above': '键必须是分片编号，即不小于 0 的整数',
  'the parameter must be text, not {}': '参数必须是文本（当前类型：{0}）',
  'the parameter is empty; leave the shard out instead': '参数为空；请直接去掉该分片',
  'the parameter "{}" contains "," or "=", which separate parameters in the registry':
    '参数“{0}”包含 "," 或 "="，它们在注册中心中用于分隔参数',
  'the parameter "{}" begins or ends with a space, which the registry does not keep':
    '参数“{0}”以空格开头或结尾，注册中心不会保留这些空格',

  'must be a whole number from {} to {}, not "{}"': '必须是 {0} 到 {1} 的整数（当前值：“{2}”）',
  'must be one of {}, not "{}"': '必须是以下之一：{0}（当前值：“{1}”）',
  'must be a port up to {}, or -1 for none': '必须是不大于 {0} 的端口，或表示不开放端口的 -1',
  '"{}" is no zone that Java takes, and Java instances take part in this job; give it as a distance such as "GMT+08:00"':
    'Java 不识别时区“{0}”，而有 Java 实例参与此作业；请使用如 "GMT+08:00" 的时差写法',

  'the configuration in {} is one of Elastic-Job 2.x and cannot be changed in part; import it with `elasticjob import` or Operations.importConfiguration(), or schedule the job once with overwrite: true to replace it':
    '{0} 中是 Elastic-Job 2.x 的配置，不能部分修改；请用 `elasticjob import` 或 Operations.importConfiguration() 导入，或以 overwrite: true 调度一次作业来替换它',
  'the configuration in {} cannot be read: {} (line {}, column {})':
    '{0} 中的配置无法读取：{1}（第 {2} 行第 {3} 列）',
  'it is empty': '内容为空',
  'it is not a mapping of keys to values': '不是键值映射',
  'a key must be a text': '键必须是文本',
  'jobName is missing': '缺少 jobName',
  'shardingTotalCount is missing or not above 0': '缺少 shardingTotalCount，或其值不大于 0',
  '{} must be a text': '{0} 必须是文本',
  '{} must be a list': '{0} 必须是列表',
  '{} must be an object': '{0} 必须是对象',
  '{} must be true or false, not "{}"': '{0} 必须是 true 或 false（当前值：“{1}”）',
  '{} must be a whole number, not "{}"': '{0} 必须是整数（当前值：“{1}”）',
  '{} must be a whole number of 32 bits, not "{}"': '{0} 必须是 32 位整数（当前值：“{1}”）',
  'props must be a mapping of keys to values': 'props 必须是键值映射',

  'shardingItemParameters: {}': 'shardingItemParameters：{0}',
  'failover is off because monitorExecution is: nobody knows what was running':
    '由于 monitorExecution（监控执行）已关闭，失效转移不会生效：无法得知正在运行什么',
  'there is no pool setting "{}": shards run without a limit':
    '没有线程池设置“{0}”：同时运行的分片数不受限制',
  'executor_service_handler {} is a class of 2.x; shards run without a limit':
    'executor_service_handler {0} 是 2.x 的类；同时运行的分片数不受限制',
  '{} is no setting of 1.x and has no counterpart': '{0} 不是 1.x 的设置，没有对应项',
  'its class decides whether the dataflow is THROUGHPUT or SEQUENCE: set dataflow.mode in props if it is one of them':
    '数据流是 THROUGHPUT 还是 SEQUENCE 由其类决定：如果是其中之一，请在 props 中设置 dataflow.mode',
  'its class decides whether the dataflow is streaming: set streaming.process in props if it is':
    '数据流是否为流式由其类决定：如果是，请在 props 中设置 streaming.process',
}
