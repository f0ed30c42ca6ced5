/** What the console's server refuses or fails at, and what it finds. */
export const server: Readonly<Record<string, string>> = {
  '{}; {}': '{0}；{1}',
  '{} is not valid: {}': '{0}无效：{1}',
  'the path': '请求路径',
  'the query': '查询参数',
  'the body': '请求内容',
  'the {} in the path {}': '路径中的 {0} {1}',
  'the job {}': '作业{0}',
  'has a slash in its name': '名称中含有斜杠',
  'is no name that ZooKeeper takes': '不是 ZooKeeper 允许的名称',
  'the path has dots where a name is to stand': '路径中本应是名称的位置是点号',
  'there is no body: send JSON': '缺少请求内容：请发送 JSON',
  'the body is to be JSON, with Content-Type: application/json':
    '请求内容必须是 JSON，并带有 Content-Type: application/json',
  'the body is not JSON': '请求内容不是 JSON',
  'the body is not JSON: see character {}': '请求内容不是 JSON：请检查第 {0} 个字符',
  'a body may have at most {} bytes': '请求内容最多 {0} 字节',
  'some of {}': '可选值：{0}',
  '{}: there is no "{}"': '{0}：没有“{1}”',
  'there is no state "{}"': '没有状态“{0}”',
  '{}: "{}" is no time': '{0}：“{1}”不是时间',
  'write it as 2026-11-15T08:00:00': '请写成 2026-11-15T08:00:00 的格式',
  '`after` is no time': '`after` 不是时间',
  'rows come with the newest first: order=desc': '记录从最新的开始排列：order=desc',
  'rows are sorted by time, not by "{}"': '记录按时间排序，不能按“{0}”排序',
  'only the first {} rows have pages; narrow it by startTime and endTime':
    '只能翻阅前 {0} 条记录；请用 startTime 和 endTime 缩小范围',
  '"{}" is no path to stand below: write letters, digits, dots and dashes, such as /elasticjob':
    '“{0}”不能作为控制台的路径：请使用字母、数字、点和短横线，如 /elasticjob',

  'log in first, or send HTTP Basic': '请先登录，或发送 HTTP Basic',
  'the header Authorization is not one of HTTP Basic': 'Authorization 头不是 HTTP Basic',
  'the name or the password is wrong': '用户名或密码错误',
  'too many wrong passwords; try again in {} s': '密码错误次数过多，请在 {0} 秒后重试',
  'too many want to log in at once': '同时登录的人过多，请稍后重试',
  '{} looks: only root may do this': '{0} 只能查看：只有 root 可以执行此操作',
  'only root may change the password of another': '只有 root 可以更改他人的密码',
  'there is no account "{}"': '没有账号“{0}”',
  'the header X-CSRF-Token is missing or wrong; GET /api/session tells it':
    'X-CSRF-Token 头缺失或错误；可由 GET /api/session 获得',
  'a page of another origin ({}) may not change anything here':
    '来自其他来源（{0}）的页面不能在此更改任何内容',

  '{} is refused: {}': '不支持 {0}：{1}',
  'it answers to {}': '此路径只接受 {0}',
  'a trigger runs a job, and a GET must change nothing: send POST':
    '触发会执行作业，而 GET 不能改变任何内容：请使用 POST',
  'there is nothing at {}': '{0} 处没有内容',
  'there is no run "{}"': '没有运行“{0}”',
  '{} streams are open': '已打开 {0} 个实时连接，请稍后重试',
  'something went wrong in the console; its log says what': '控制台内部出错，详情见其日志',
  '{} cannot be read: {}': '{0} 无法读取：{1}',
  '{} was written by a newer console: it has version {}, and this one knows {}':
    '{0} 由更新版本的控制台写入：其版本为 {1}，此控制台只认识到 {2}',

  'there is no registry "{}"': '没有注册中心“{0}”',
  'no registry is known yet: add one, or start the console with one':
    '尚无注册中心：请添加一个，或在启动控制台时指定',
  'the registry "{}" was given when the console was started, and can only be changed there':
    '注册中心“{0}”是控制台启动时指定的，只能在启动参数中更改',
  'the registry {} is being read since {}': '自 {1} 起正在读取注册中心 {0}',
  '{}: {} of {} jobs are known': '{0}：共 {2} 个作业，已读取 {1} 个',
  'the registry {} is not there since {}: {}': '自 {1} 起无法访问注册中心 {0}（{2}）',
  'nobody has reached it yet': '尚未连接',
  'it was taken out': '已被移除',
  'the connection was lost': '连接已断开',
  '{} jobs in namespace {}': '命名空间 {1} 中有 {0} 个作业',

  'there is no data source "{}"': '没有数据源“{0}”',
  'no data source is known yet: add the database that the jobs are recorded in':
    '尚无数据源：请添加记录作业历史的数据库',
  'the data source "{}" was given when the console was started, and can only be changed there':
    '数据源“{0}”是控制台启动时指定的，只能在启动参数中更改',
  'the password of {} is empty; leave it out to have one made': '{0} 的密码为空；不填写则自动生成',
  'the console does not answer for the host "{}"; if it is its own, start it with --allowed-hosts':
    '控制台不应答主机名“{0}”；如果它属于控制台，请用 --allowed-hosts 启动',
  'the address {}': '地址{0}',
  "is the console's own database, in which no history can be": '是控制台自己的数据库，不能存放历史',
  'the database can be reached, and has no history yet': '可以访问数据库，其中还没有历史',
  'the address of a data source begins with sqlite:, postgresql:// or mysql://':
    '数据源的地址以 sqlite:、postgresql:// 或 mysql:// 开头',
  'it begins with sqlite:, postgresql:// or mysql://':
    '应以 sqlite:、postgresql:// 或 mysql:// 开头',
  'the address of {} is no URL': '{0} 的地址不是 URL',
  'it is no URL': '不是 URL',
  '{}: runs of {} jobs': '{0}：有 {1} 个作业的运行记录',

  'too many dumps are being asked for; try again': '同时请求的转储过多，请重试',
  'job {} has {} for dumps in the registry (props: monitor.port), and not {}':
    '作业 {0} 在注册中心中用于转储的端口（props: monitor.port）为{1}，而不是 {2}',
  'port {}': ' {0}',
  'no port': '空',
  'no instance of job {} is on {}': '{1} 上没有作业 {0} 的实例',
  '{}:{}: {}': '{0}:{1}：{2}',
  'no answer within {} ms': '{0} 毫秒内没有应答',
  'the answer is longer than {} bytes': '应答超过 {0} 字节',
}
