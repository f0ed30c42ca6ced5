/** What a history has stored of runs, and what it says of what it was asked and of its database. */
export const history: Readonly<Record<string, string>> = {
  "Job '{}' execute begin.": '作业 {0} 开始执行',
  'Instance {} is gone.': '实例 {0} 已离线',
  "Sharding item for job '{}' is empty.": '作业 {0} 没有分到分片',
  "Previous job '{}' - shardingItems '{}' is still running, misfired job will start after previous job completed.":
    '作业 {0} 的上一次执行（分片 {1}）仍在运行，错过的执行将在其完成后开始',

  'A history in {} needs the package {}: npm install {}':
    '{0} 中的历史需要软件包 {1}：npm install {2}',
  'The address of a history begins with sqlite:, postgresql:// or mysql://.':
    '历史的地址以 sqlite:、postgresql:// 或 mysql:// 开头',
  'The address of {} is no URL.': '{0} 的地址不是 URL',
  '{} has not answered for {} ms.': '{0} 已有 {1} 毫秒没有应答',
  'The history is closed.': '历史已关闭',
  'The tables are of version {}, made by a newer ElasticJob; this one knows version {}.':
    '数据库中的表为版本 {0}，由更新的 ElasticJob 创建；此处只认识版本 {1}，请升级',
  "{}: the table {} has no column {}: it is not ElasticJob's.":
    '{0}：表 {1} 没有列 {2}，不是 ElasticJob 的表',
  '{}: there is no table {}: nothing was recorded there yet.':
    '{0}：没有表 {1}：那里还没有任何记录。',
  'The address of {} has an "@" behind its host: write "/" as %2F, "?" as %3F and "#" as %23 in a password.':
    '{0} 的地址在主机名之后含有“@”：密码中的“/”请写作 %2F，“?”写作 %3F，“#”写作 %23。',
  'There is no file {}.': '没有文件 {0}。',
  'A limit is a whole number from 1 to {}, not {}.': '条数必须是 1 到 {0} 的整数，而不是 {1}',
  'A limit of what is kept is a number that is not negative.': '保留的限度必须是不小于 0 的数字',
  'A window ends after it has begun.': '时间范围的结束必须晚于开始',
  'Figures are for a window of at most {} minutes, hours or days that ends after it has begun.':
    '统计的时间范围最多为 {0} 个分钟、小时或天，且结束必须晚于开始',
  'The cursor is not one that a page has given.': '游标不是由某一页给出的',
  '{} is no time.': '{0} 不是时间',
}
