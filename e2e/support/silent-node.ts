/**
 * Makes the built-in rule of silent nodes fire: parameters are the group and its labels in JSON. The node
 * sends nothing, so it stays silent when it is evaluated again.
 */
export const insertSilentNode = `
  INSERT INTO alert_state (rule_id, "group", labels, status, since, evaluated_at, sample_at)
  SELECT id, $1, $2::jsonb, 'firing', now(), now(), now() - interval '1 hour'
    FROM alert_rule WHERE built_in_key = 'node-silence'`;
