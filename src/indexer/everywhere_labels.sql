-- Labels by lists that hold on every EVM network, revoked ones too (category ''). written_at_ms: unix milliseconds.
SELECT lower(hex(k.address)) AS address, k.source AS source, k.label AS label, k.category AS category, k.entity AS entity,
  k.confidence AS confidence, k.evidence AS evidence, k.licence AS licence, k.published_on AS published_on,
  toUnixTimestamp64Milli(k.written_at) AS written_at_ms
FROM labels AS k FINAL
WHERE k.network = 'evm'
ORDER BY address, source, label
