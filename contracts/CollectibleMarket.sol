// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Numbered pieces whose owner can let a market sell them.
contract Tickets {
    string public name = "Tickets";
    string public symbol = "TICKET";
    uint256 public totalSupply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function mint(address to) external returns (uint256 id) {
        id = ++totalSupply;
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "Tickets: not the owner");
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "Tickets: not allowed");
        ownerOf[id] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        emit Transfer(from, to, id);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }
}

/// Sells pieces at a price that their owner set. Its event is Seaport's.
contract CollectibleMarket {
    struct SpentItem {
        uint8 itemType;
        address token;
        uint256 identifier;
        uint256 amount;
    }

    struct ReceivedItem {
        uint8 itemType;
        address token;
        uint256 identifier;
        uint256 amount;
        address payable recipient;
    }

    struct Listing {
        address payable seller;
        uint256 price;
    }

    mapping(address => mapping(uint256 => Listing)) public listings;

    event OrderFulfilled(
        bytes32 orderHash,
        address indexed offerer,
        address indexed zone,
        address recipient,
        SpentItem[] offer,
        ReceivedItem[] consideration
    );

    function list(Tickets token, uint256 id, uint256 price) external {
        require(token.ownerOf(id) == msg.sender, "CollectibleMarket: not yours");
        listings[address(token)][id] = Listing(payable(msg.sender), price);
    }

    function buy(Tickets token, uint256 id) external payable {
        Listing memory listing = listings[address(token)][id];
        require(listing.seller != address(0) && msg.value == listing.price, "CollectibleMarket: no such offer");
        delete listings[address(token)][id];
        SpentItem[] memory offer = new SpentItem[](1);
        offer[0] = SpentItem(2, address(token), id, 1);
        ReceivedItem[] memory consideration = new ReceivedItem[](1);
        consideration[0] = ReceivedItem(0, address(0), 0, listing.price, listing.seller);
        bytes32 order = keccak256(abi.encode(token, id, listing.seller));
        emit OrderFulfilled(order, listing.seller, address(0), msg.sender, offer, consideration);
        token.transferFrom(listing.seller, msg.sender, id);
        (bool paid,) = listing.seller.call{value: listing.price}("");
        require(paid, "CollectibleMarket: the seller was not paid");
    }
}
