/** Errors of a history. */
export const history: Readonly<Record<string, string>> = {
  'driver-missing': '{product} 中的历史需要软件包 {package}：npm install {package}',
  'history-file-missing': '没有文件 {path}。',
  'cursor-invalid': '游标不是由某一页给出的',
  'tables-newer':
    '数据库中的表为版本 {version}，由更新的 ElasticJob 创建；此处只认识版本 {known}，请升级',
  'history-scheme': '历史的地址以 sqlite:、postgresql:// 或 mysql:// 开头',
  'history-url-invalid': '{product} 的地址不是 URL',
  'history-url-password':
    '{product} 的地址在主机名之后含有“@”：密码中的“/”请写作 %2F，“?”写作 %3F，“#”写作 %23。',
  'retention-invalid': '保留的限度必须是不小于 0 的数字',
  'limit-invalid': '条数必须是 1 到 {most} 的整数，而不是 {limit}',
  'query-time-invalid': '{time} 不是时间',
  'table-missing': '{product}：没有表 {table}：那里还没有任何记录。',
  'table-foreign': '{product}：表 {table} 没有列 {columns}，不是 ElasticJob 的表',
  'history-closed': '历史已关闭',
  'history-timeout': '{description} 已有 {milliseconds} 毫秒没有应答',
  'statistics-window-invalid': '统计的时间范围最多为 {most} 个分钟、小时或天，且结束必须晚于开始',
  'window-reversed': '时间范围的结束必须晚于开始',
}
