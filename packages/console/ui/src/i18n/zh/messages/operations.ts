/** What an operation has come to, and why one was refused. */
export const operations: Readonly<Record<string, string>> = {
  'job {}': '作业 {0}',
  'the configuration of job {}': '作业 {0} 的配置',
  '{} (did you mean "{}"?)': '{0}（是否指“{1}”？）',

  'job {} is broken: {}; `elasticjob repair {}` shows what can be done':
    '作业 {0} 已损坏：{1}；`elasticjob repair {2}` 会说明可以怎么做',
  '{} ({})': '{0}（{1}）',
  'the configuration of job {} is not repaired, only you know what it should be: {}; correct it with `elasticjob config edit`':
    '作业 {0} 的配置没有修复，只有您知道它应是什么：{1}；请用 `elasticjob config edit` 更正',
  'the state of job {} is reset, and the job is paused until it is resumed: its pauses, manual runs under way, requests to stop runs or to leave, and a removal under way are lost':
    '作业 {0} 的状态已重置，作业暂停，直到恢复：原有的暂停、进行中的手动运行、停止运行或离开的请求以及进行中的移除均已丢失',
  'the assignment of job {} is reset, the leader computes it again: nothing is lost but moves under way':
    '作业 {0} 的分片分配已重置，主节点将重新计算：除进行中的迁移外没有丢失',
  'the calls of listeners of job {} are reset: listeners of what has begun until now are not called again':
    '作业 {0} 的监听器调用记录已重置：此前已开始的不再调用监听器',
  'the state of shard {} of job {} is reset: its last run, with outcome and error, is lost, and nothing that was due until now is run':
    '作业 {1} 的分片 {0} 的状态已重置：其上次运行及结果、错误已丢失，此前到期的不再运行',
  'the state of shard {} of job {} is not repaired, for {} runs it: repair it when that run has ended, or end that process':
    '作业 {1} 的分片 {0} 的状态没有修复，因为 {2} 正在运行它：请在该运行结束后修复，或结束该进程',

  'job {} is paused': '作业 {0} 已暂停',
  'job {} is paused on server {}': '作业 {0} 已在服务器 {1} 上暂停',
  'job {} fires again': '作业 {0} 已恢复触发',
  'job {} fires again on server {}': '作业 {0} 已在服务器 {1} 上恢复触发',
  'the pause of server {} is lifted': '服务器 {0} 的暂停已解除',
  'the whole job {} is paused: resume the job, then pause the other servers':
    '作业 {0} 整体处于暂停状态：请先恢复作业，再暂停其他服务器',
  '{} is a Java instance and knows no pause: it goes on; disable its server instead':
    '{0} 是 Java 实例，不支持暂停，会继续运行；请改为禁用其服务器',

  'job {} is enabled on server {}': '作业 {0} 已在服务器 {1} 上启用',
  'job {} is disabled on server {}': '作业 {0} 已在服务器 {1} 上禁用',
  'shard {} of job {} is disabled': '作业 {1} 的分片 {0} 已禁用',
  'shard {} of job {} is enabled': '作业 {1} 的分片 {0} 已启用',
  'a resharding of job {} is requested': '作业 {0} 的分片将重新分配',

  '{} is asked to leave job {}': '已要求 {0} 退出作业 {1}',
  'no instance takes part in job {}': '没有实例参与作业 {0}',
  'no instance takes part in job {} on {}': '{1} 上没有实例参与作业 {0}',
  'server {} is removed from job {}': '服务器 {0} 已从作业 {1} 中移除',
  'job {} is removed': '作业 {0} 已删除',
  'the run of shard {} of job {} on {} is asked to end':
    '已要求 {2} 结束作业 {1} 的分片 {0} 的运行',

  'manual run {} of job {} is asked for: {}': '已请求作业 {1} 的第 {0} 轮执行：{2}',
  'all shards': '全部分片',
  'shards {}': '分片 {0}',
  '{} on {}': '{1} 上的{0}',
  '{} with parameter {}': '{0}，参数为 {1}',
  '{} is triggered': '已触发 {0}',
  '{} is a Java instance: it cannot be triggered for some of its shards, or with a parameter':
    '{0} 是 Java 实例，不能只触发其部分分片，也不能指定参数',
  'shard {} is disabled and does not run in this manual run': '分片 {0} 已禁用，本轮不执行',

  'it is disabled: enable it': '已禁用：请启用',
  'no instance takes part in the job: start one': '没有实例参与此作业：请启动一个',
  'it has no owner yet: the leader assigns the shards': '尚无归属：由主节点分配分片',
  'its owner {} is gone: the leader gives it to another':
    '归属实例 {0} 已离线：主节点会将其分配给其他实例',
  'its owner {} leaves the job': '归属实例 {0} 正在退出作业',
  'its owner {} is on a server that is disabled': '归属实例 {0} 所在的服务器已禁用',
  'the job is paused: resume it': '作业已暂停：请恢复',
  'the server {} of its owner is paused: resume it': '归属实例所在的服务器 {0} 已暂停：请恢复',
  'its crashed run waits to be taken over': '崩溃遗留的运行正等待接管',
  'its crashed run waits to be taken over: every instance that could is paused; resume the job or a server':
    '崩溃遗留的运行正等待接管：可接管的实例均已暂停；请恢复作业或服务器',

  'job {} is being removed; remove it once more if that was interrupted':
    '作业 {0} 正在被删除；如果删除曾被中断，请再次删除',
  'there is no job "{}" in this namespace': '此命名空间中没有作业“{0}”',
  'no job of this namespace has a server "{}"': '此命名空间中没有作业使用服务器“{0}”',
  'job {} has no server "{}"': '作业 {0} 没有服务器“{1}”',
  'no instance "{}" takes part in job {}': '没有实例“{0}”参与作业 {1}',
  'job {} has no shard {}: it has {}': '作业 {0} 没有分片 {1}：{2}',
  'none that is known': '没有已知的分片',
  'one shard, 0': '只有分片 0',
  'shards 0 to {}': '其分片为 0 到 {0}',
  'shard {} of job {} does not run at the moment; there is nothing to stop':
    '作业 {1} 的分片 {0} 目前没有在运行，无需停止',
  'shard {} of job {} runs on {}, a Java instance, which cannot be asked to end a run; shut its instance down, or wait':
    '作业 {1} 的分片 {0} 正在 Java 实例 {2} 上运行，无法要求其结束；请终止该实例，或等待',
  'no shard of job {} that is asked for has failed the last time it ran; there is nothing to run again':
    '所请求的作业 {0} 的分片上次运行均未失败，无需重新执行',
  "job {} is run by Java instances here: they can be triggered only for all that they own, without shards of one's own":
    '此处的作业 {0} 由 Java 实例运行：只能触发其拥有的全部分片，不能指定分片',
  "job {} is run by Java instances here: they can be triggered only for all that they own, without a parameter of one's own":
    '此处的作业 {0} 由 Java 实例运行：只能触发其拥有的全部分片，不能指定参数',
  '{} has joined job {} again; a server is removed when none of its instances is left':
    '{0} 又加入了作业 {1}；服务器上没有实例时才能移除',
  'after {} ms there are still instances in job {} that were asked to leave: {}; they let their runs end first. Ask again, with a longer wait if need be':
    '{0} 毫秒后，作业 {1} 中仍有被要求退出的实例：{2}；它们会先等待运行结束。请重试，必要时延长等待时间',
  'somebody else removes job {} at this moment, or has removed it meanwhile':
    '其他人正在删除作业 {0}，或已将其删除',
  'the nodes of job {} come back whenever they are deleted: a Java process still runs it. End that process, then remove the job once more':
    '作业 {0} 的节点被删除后又重新出现：仍有 Java 进程在运行它。请结束该进程，然后再次删除作业',
  '{} is being changed by others all the time; try again': '{0}一直在被他人更改，请重试',
  'a transaction of {} parts has {} bytes; at most {} are safe':
    '包含 {0} 个部分的事务有 {1} 字节，安全上限为 {2} 字节',
  'the connection to the registry was lost: {}. What was under way may have been done or not; look, then ask again':
    '与注册中心的连接已断开：{0}。进行中的操作可能已完成，也可能没有；请查看后重试',
  'job {} cannot be configured: {}': '作业 {0} 无法配置：{1}',
  'the configuration of job {} was changed by somebody else: it has version {}, and the change was made for version {}; look at it again':
    '作业 {0} 的配置已被他人更改：当前为版本 {1}，而此更改基于版本 {2}；请重新查看',
}
