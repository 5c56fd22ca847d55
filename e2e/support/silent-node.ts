/**
 * Makes the built-in rule for silent nodes fire. Parameters: the group and its labels in JSON. The node sends nothing,
 * so the alert lasts when the rule is evaluated again.
 */
export const insertSilentNode = `
  INSERT INTO alert_state (rule_id, "group", labels, status, since, evaluated_at, sample_at)
  SELECT id, $1, $2::jsonb, 'firing', now(), now(), now() - interval '1 hour'
    FROM alert_rule WHERE built_in_key = 'node-silence'`;
