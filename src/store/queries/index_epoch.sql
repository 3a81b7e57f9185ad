-- The newest epoch granted to write a network's facts, and its holder.
SELECT max((epoch, holder)).1 AS epoch, max((epoch, holder)).2 AS holder
FROM index_epochs
WHERE network = {network:String}
