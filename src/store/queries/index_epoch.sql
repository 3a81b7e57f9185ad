-- The newest epoch in which somebody was given the right to write a network's facts, and who it was.
SELECT max((epoch, holder)).1 AS epoch, max((epoch, holder)).2 AS holder
FROM index_epochs
WHERE network = {network:String}
