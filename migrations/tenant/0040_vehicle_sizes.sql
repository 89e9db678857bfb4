-- What is different with a vehicle from what it is on the road: metres and tonnes; whether it carries dangerous goods, and what it
-- does about tolls. As its road profile says where nothing is told.
alter table vehicles
    add column height double precision check (height between 0.5 and 6),
    add column width double precision check (width between 0.3 and 5),
    add column length double precision check (length between 0.5 and 40),
    add column weight double precision check (weight between 0.01 and 150),
    add column hazardous_goods boolean,
    add column tolls text check (tolls in ('avoid', 'accept'));
